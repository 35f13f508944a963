/**
 * Exact sums of floats: every finite double is a whole number of units of 2^-1074, so a sum is one big integer, rounded once.
 *
 * Reads  finite doubles; the exact sum as a count of units.
 * Gives  the double nearest to the exact sum, ties to even, so that no order of adding shows (ruling 25).
 * Never  a running error: adding a value and taking it away again leaves nothing.
 */
const view = new DataView(new ArrayBuffer(8));

/** A finite double as a count of units of 2^-1074. */
export function toUnits(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const magnitude = exponent === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(exponent - 1);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}

/** The nearest double; an infinity where the sum is beyond the finite ones. */
export function fromUnits(units: bigint): number {
  const magnitude = units < 0n ? -units : units;
  const length = magnitude.toString(2).length;
  if (magnitude === 0n) return 0;
  // Up to 53 bits are exact; a subnormal is its own count of units.
  const shift = Math.max(length - 53, 0);
  let kept = magnitude >> BigInt(shift);
  const rest = magnitude - (kept << BigInt(shift));
  const half = shift === 0 ? 0n : 1n << BigInt(shift - 1);
  if (shift > 0 && (rest > half || (rest === half && (kept & 1n) === 1n))) kept += 1n;
  // Scaled in two steps, since 2^shift * 2^-1074 alone may underflow.
  const scaled = shift > 1000 ? Number(kept) * 2 ** (shift - 1074) : Number(kept) * 2 ** -1074 * 2 ** shift;
  return units < 0n ? -scaled : scaled;
}
