/**
 * User types that the neutral format has dropped: there every column is a plain string or integer, in the source it is not.
 *
 * Reads  the id of a program.
 * Gives  brands for its columns, for the two sources whose refusals are about such types; for any other none.
 * Never  names a type that the source does not have.
 */
import * as z from 'zod';
import { brand } from '../../src/index.ts';

/** The schema of a column by the names of its relation and itself; undefined where the format says all. */
export type UserTypes = (relation: string, column: string) => z.ZodType | undefined;

/** There each column bears the name of its type. */
const BY_COLUMN = new Map(['t', 's', 'r', 'q'].map((name) => [name, brand(name.toUpperCase(), z.string())]));
/**
 * There A and B are two types of numbers, and F and E hold rows of both.
 * Brands have no unions, so the rules that fill such a relation do not load either.
 */
const BY_RELATION = new Map(['A', 'B'].map((name) => [name, brand(name, z.int())]));

export function userTypesOf(id: string): UserTypes {
  if (id.startsWith('souffle/semantic/rule_typecompat#')) return (_, column) => BY_COLUMN.get(column);
  if (id.startsWith('souffle/semantic/union_types#')) return (relation) => BY_RELATION.get(relation);
  return () => undefined;
}
