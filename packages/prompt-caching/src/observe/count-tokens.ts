/** For people: `1 token`, `3,600 tokens`. */
export function countTokens(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'token' : 'tokens'}`
}
