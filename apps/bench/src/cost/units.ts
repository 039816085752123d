/** A share of 0 to 1 in percent. */
export function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`
}

/** US dollars: four digits behind the point where there are few before it. */
export function dollars(usd: number): string {
  return `$${usd < 10 ? usd.toFixed(3) : usd.toFixed(2)}`
}

/** A whole number with separators. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
