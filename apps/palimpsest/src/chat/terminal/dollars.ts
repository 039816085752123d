/** US dollars: whole cents once there is one, else four digits behind the point. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`
}
