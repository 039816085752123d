/**
 * A web page, which a proxy or a wrong address sends instead of an answer, in a few words: its title. Undefined for
 * every other text.
 */
export function webPage(text: string): string | undefined {
  if (!/<!doctype html|<html[\s>]/i.test(text)) return undefined
  const title = /<title[^<>]*>([^<]*)/i.exec(text)?.[1]?.trim()
  return title ? `a web page came, "${title}"` : 'a web page came'
}
