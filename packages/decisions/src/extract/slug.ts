import { asWords } from '../log/normal-text.ts'

/** The last words of a phrase as a part of a slot's name: lower case, joined by hyphens. */
export function slug(words: string, most = 3): string {
  return wordsOf(words).slice(-most).join('-').slice(0, 80)
}

/** A name as code has them: what a rule says of it may be said of another one later. */
const IDENTIFIER = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:_[\p{L}\p{N}_]+|\p{Ll}\p{Lu}[\p{L}\p{N}]*)/gu

/** The slot of what is said in a sentence: its first words that say something, without the names in code that it is said of. */
export function proseSlot(value: string): string {
  const words = meaning(value.replace(IDENTIFIER, ' '))
  return (words.length > 2 ? words : meaning(value)).slice(0, 8).join('-').slice(0, 80)
}

const LANGUAGES =
  'english|german|french|spanish|italian|portuguese|dutch|polish|czech|russian|ukrainian|turkish|arabic|hebrew|hindi|japanese|chinese|mandarin|korean|vietnamese|thai|swedish|norwegian|danish|finnish|greek|hungarian|romanian'
/** Subjects of rules on answers and texts, of which one rule holds at a time. */
const ASPECTS: Readonly<Record<string, RegExp>> = {
  language: new RegExp(`(?<= in )(?:(?:british|american|plain|simple) )?(?:${LANGUAGES})(?!\\p{L})`, 'iu'),
  length:
    /\b(?:brief(?:ly)?|short(?:er)?|concise(?:ly)?|terse(?:ly)?|long(?:er)?|detailed|verbose(?:ly)?|in detail)\b/i,
  format: /\b(?:markdown|plain text|bullet points|prose)\b/i,
}
const ANSWERS = /\b(?:answers?|repl(?:y|ies)|respond|responses?|talk to me|speak to me|talk|speak)\b/i
const REFUSED = /\b(?:not|never|no|without|avoid)\b|n't\b/i

/**
 * The slot of a rule, and whether it says one of those aspects: "answer in English" takes the place of "answer in German". A slot of
 * an aspect has a dot.
 */
export function ruleSlot(value: string): { readonly slot: string; readonly isAspect: boolean } {
  const [[aspect, words] = [], ...others] = Object.entries(ASPECTS).filter(([, pattern]) =>
    pattern.test(value),
  )
  const subject = ANSWERS.test(value) ? 'answers' : aspect === 'language' ? subjectBefore(value, words) : ''
  if (aspect === undefined || others.length > 0 || subject === '' || REFUSED.test(value))
    return { slot: `rule:${proseSlot(value)}`, isAspect: false }
  return { slot: `rule:${subject}.${aspect}`, isAspect: true }
}

/** "commit messages", of "write commit messages in English". */
function subjectBefore(value: string, words: RegExp | undefined): string {
  const before = value
    .slice(0, words?.exec(value)?.index)
    .replace(/\b(?:always|only|from now on|i want you|in)\b/gi, ' ')
  return slug(before)
}

/** The name of a setting as a slot: `max-retries` for "the maximum number of retries" and for `MAX_RETRIES`. */
export function settingSlot(name: string): string {
  const words = wordsOf(asWords(name))
  const short: Readonly<Record<string, string>> = { maximum: 'max', minimum: 'min' }
  return words
    .filter(
      (word) =>
        !/^(?:the|our|a|an|its|each|every|default|that|this|of|number|amount|value|setting|to|be|with|and|all|for|in|is|are)$/.test(
          word,
        ),
    )
    .map((word) => (Object.hasOwn(short, word) ? short[word] : word))
    .slice(-4)
    .join('-')
}

function meaning(value: string): string[] {
  const plain = value.toLowerCase().replace(/don't|do not/g, 'never')
  return wordsOf(plain).filter(
    (word) => !/^(?:the|a|an|our|please|you|we|to|must|should|be|is|are|that|of)$/.test(word),
  )
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}
