/** Ids as people write them: `C04, C15 to C41`. What stands side by side in `order` becomes a range of one letter. */
export function idRanges(ids: readonly string[], order: readonly string[]): string {
  const ranges: string[][] = []
  for (const id of ids) {
    const last = ranges.at(-1)
    const before = last?.at(-1)
    const follows =
      before !== undefined && before[0] === id[0] && order.indexOf(id) === order.indexOf(before) + 1
    if (follows) last?.push(id)
    else ranges.push([id])
  }
  return ranges
    .map((range) => (range.length > 2 ? `${range[0]} to ${range.at(-1)}` : range.join(', ')))
    .join(', ')
}
