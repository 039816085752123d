/** Punctuation of sentences at the ends of a word. A dot in front belongs to a path: `./src`, `.env`. */
const SENTENCE = {
  front: ',;:!?¿¡，。！？、；：',
  back: '.,;:!?…，。！？、；：',
}
/** Quotation marks and brackets. */
const ENCLOSING = {
  front: '"\'`“”‘’«»「」『』《》（([{<',
  back: '"\'`“”‘’«»「」『』《》）)\\]}>',
}
/** Inside a term these make it code, whose own ends are no punctuation: `{"path":"a"}`, `a[0]`. */
const CODE = /["`([{<>)\]}]/
const WORD_CHARACTER = /[\p{L}\p{N}_]/u

const BARE = trimmer(SENTENCE.front + ENCLOSING.front, SENTENCE.back + ENCLOSING.back)
const UNPUNCTUATED = trimmer(SENTENCE.front, SENTENCE.back)

/**
 * A word of a query without the punctuation around it. Paths, flags and globs (`./src`, `--flag`, `foo*`), code, and
 * what is nothing but punctuation stay as they are.
 */
export function bareToken(token: string): string {
  if (!WORD_CHARACTER.test(token)) return token
  const bare = token.replace(BARE, '')
  return CODE.test(bare) ? token.replace(UNPUNCTUATED, '') : bare
}

function trimmer(front: string, back: string): RegExp {
  return new RegExp(`^[${front.replaceAll('[', '\\[')}]+|(?<![${back}])[${back}]+$`, 'gu')
}
