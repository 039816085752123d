/** A number for people: `110,365`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 message`, `2 messages`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** US dollars: whole cents once there is one, else four digits behind the point. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`
}
