/** The number of a record in the name of its file or in its title: `0012-use-x.md`, `adr-12.md`, `12. Use X`. A date is none. */
export function recordNumber(name: string): number | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1)
  const [, digits] = /^(?!\d{4}-\d{2}-\d{2})(?:adr[-_#\s]?)?0*(\d{1,6})(?=[-_.:)\s–]|$)/i.exec(base) ?? []
  return digits === undefined ? undefined : Number(digits)
}
