type Stemmer = (word: string) => string

export interface WordForms {
  readonly starts: readonly string[]
  has(word: string): boolean
}

const LEAST_START = 3
const MOST_STEMS = 20_000
/** Endings of stems that other forms of the word lack: studi and study, hope and hoping. */
const CHANGING = /[eiy]$/
/** Languages in Latin script. English comes first: most words are tried only with it. */
const LATIN = /^\p{Script=Latin}+$/u
const CYRILLIC = /^\p{Script=Cyrillic}+$/u
const GREEK = /^\p{Script=Greek}+$/u

/** Loaded with the first search, because loading takes time. */
let loading: Promise<readonly (readonly [RegExp, Stemmer])[]> | undefined

async function loadStemmers(): Promise<readonly (readonly [RegExp, Stemmer])[]> {
  const latin = await Promise.all([
    import('@orama/stemmers/english'),
    import('@orama/stemmers/german'),
    import('@orama/stemmers/french'),
    import('@orama/stemmers/spanish'),
    import('@orama/stemmers/italian'),
    import('@orama/stemmers/portuguese'),
    import('@orama/stemmers/dutch'),
    import('@orama/stemmers/swedish'),
    import('@orama/stemmers/norwegian'),
    import('@orama/stemmers/danish'),
    import('@orama/stemmers/finnish'),
    import('@orama/stemmers/hungarian'),
    import('@orama/stemmers/romanian'),
    import('@orama/stemmers/turkish'),
  ])
  const { stemmer: russian } = await import('@orama/stemmers/russian')
  const { stemmer: greek } = await import('@orama/stemmers/greek')
  return [
    ...latin.map(({ stemmer }) => [LATIN, remembering(stemmer)] as const),
    [CYRILLIC, remembering(russian)],
    [GREEK, remembering(greek)],
  ]
}

export async function readForms(): Promise<(word: string) => WordForms | undefined> {
  loading ??= loadStemmers()
  const stemmers = await loading
  return (word) => formsOf(word.toLowerCase(), stemmers)
}

function formsOf(word: string, stemmers: readonly (readonly [RegExp, Stemmer])[]): WordForms | undefined {
  const stems = stemmers.flatMap(([script, stem]) => {
    if (!script.test(word)) return []
    const own = stem(word)
    const start = commonStart(word, own).replace(CHANGING, '')
    return start.length < LEAST_START ? [] : [{ stem, own, start }]
  })
  if (stems.length === 0) return undefined
  const starts = [...new Set([...stems.map(({ start }) => start), word])]
  return {
    starts: starts.filter((start) => !starts.some((other) => other !== start && start.startsWith(other))),
    has: (other) => other === word || stems.some(({ stem, own }) => stem(other) === own),
  }
}

function commonStart(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

function remembering(stem: Stemmer): Stemmer {
  const known = new Map<string, string>()
  return (word) => {
    let found = known.get(word)
    if (found === undefined) {
      if (known.size === MOST_STEMS) known.clear()
      found = stem(word)
      known.set(word, found)
    }
    return found
  }
}
