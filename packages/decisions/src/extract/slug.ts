/** The last words of a phrase as a part of a slot's name: lower case, joined by hyphens. */
export function slug(words: string, most = 3): string {
  return words
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(-most)
    .join('-')
    .slice(0, 80)
}
