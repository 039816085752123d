const CUE =
  /\b(?:new topic|different topic|another (?:topic|thing|subject)|switch(?:ing)? (?:gears|topics)|moving on|let'?s move on|next (?:task|topic|up)|on (?:to )?(?:another|a different) (?:note|subject)|unrelated|anderes thema|neues thema|changeons de sujet|cambiando de tema|mudando de assunto)\b|другая тема|换个话题|別の話/i

/** Number of earlier messages to compare with, and the share of words that they must contain. */
const RECENT = 6
const LEAST_SHARED = 0.1
const LEAST_WORDS = 6

export type TopicWatch = ReturnType<typeof createTopicWatch>

export function createTopicWatch() {
  let recent: ReadonlySet<string>[] = []
  let hasShifted = false
  return {
    read(text: string, isUser: boolean): void {
      const words = contentWords(text)
      if (isUser) hasShifted = CUE.test(text.slice(0, 300)) || isStrange(words, recent)
      if (words.size > 0) recent = [...recent, words].slice(-RECENT)
    },
    get hasShifted(): boolean {
      return hasShifted
    },
    clear(): void {
      recent = []
      hasShifted = false
    },
  }
}

function isStrange(words: ReadonlySet<string>, recent: readonly ReadonlySet<string>[]): boolean {
  if (words.size < LEAST_WORDS || recent.length < RECENT) return false
  const shared = [...words].filter((word) => recent.some((known) => known.has(word))).length
  return shared / words.size < LEAST_SHARED
}

/** The topic is at the start of a message. */
const LOOKED_AT = 8_000
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}|[\p{L}][\p{L}\p{N}_]{3,40}/gu

const FILLERS = new Set(
  'about after again also because been before both could does done each else every from have here into just know like look make more most much must need only other over please really should some still such take than that them then there these they thing this those want well were what when where which while will with would your'.split(
    ' ',
  ),
)

function contentWords(text: string): ReadonlySet<string> {
  const words = text.slice(0, LOOKED_AT).toLowerCase().match(WORD) ?? []
  return new Set(words.filter((word) => !FILLERS.has(word)))
}
