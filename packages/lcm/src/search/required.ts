/** Facts that hold for every text that a part of a pattern matches. */
export interface Required {
  /** The part matches one of these texts and nothing else; null when they are too many or not known. */
  readonly exact: readonly string[] | null
  /** Every text that it matches contains one text of each list. */
  readonly clauses: readonly (readonly string[])[]
}

/** Shorter texts are no use to an index of three characters. */
const MIN_CHARACTERS = 3
/** More of a text does not narrow a search further. */
const MAX_CHARACTERS = 64
/** Nested repetitions would write out texts without bounds. */
const MAX_EXACT_CHARACTERS = 256
/** Texts of one OR at most. */
const MAX_TEXTS = 16
/** ORs of one AND at most: the longest texts are kept. */
const MAX_CLAUSES = 6
/** Repetitions that are written out. */
const MAX_REPEATS = 8

/** Of a part that matches the empty text only. */
export const NOTHING: Required = { exact: [''], clauses: [] }
/** Of a part that may match any text. */
export const ANYTHING: Required = { exact: null, clauses: [] }

/** Of a part that matches one text only. */
export function literal(text: string): Required {
  return { exact: [text], clauses: [] }
}

/** Of parts that follow each other: texts that stand side by side become one. */
export function concatenate(parts: readonly Required[]): Required {
  const clauses: (readonly string[])[] = []
  let run: readonly string[] = ['']
  let exact = true
  for (const part of parts) {
    clauses.push(...part.clauses)
    const joined = part.exact === null ? null : product(run, part.exact)
    if (joined === null) {
      clauses.push(run)
      exact = false
    }
    run = joined ?? part.exact ?? ['']
  }
  if (exact) return { exact: run, clauses: keepUseful(clauses) }
  return { exact: null, clauses: keepUseful([...clauses, run]) }
}

/** Of a part that matches what one of several does. */
export function alternatives(parts: readonly Required[]): Required {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const exact = parts.flatMap((part) => part.exact ?? [])
  if (parts.every((part) => part.exact !== null) && exact.length <= MAX_TEXTS) {
    return { exact: [...new Set(exact)], clauses: [] }
  }
  const best = parts.map((part) => keepUseful([...part.clauses, part.exact ?? ['']])[0])
  if (best.some((clause) => clause === undefined)) return ANYTHING
  return { exact: null, clauses: keepUseful([best.flatMap((clause) => clause ?? [])]) }
}

/** Of a part that is repeated. */
export function repeat(part: Required, min: number, max: number): Required {
  if (max === 0) return NOTHING
  if (min === 0) return ANYTHING
  const times = Math.min(min, MAX_REPEATS)
  const written = concatenate(Array.from({ length: times }, () => part))
  if (min === max && times === min) return written
  // The first repetitions touch what stands before, the last one what stands behind.
  return { exact: null, clauses: keepUseful([...written.clauses, written.exact ?? ['']]) }
}

/** Every text of one list followed by every text of the other; null when that is too many or too long. */
function product(left: readonly string[], right: readonly string[]): readonly string[] | null {
  if (left.length * right.length > MAX_TEXTS) return null
  const texts = left.flatMap((a) => right.map((b) => a + b))
  return texts.some(({ length }) => length > MAX_EXACT_CHARACTERS) ? null : texts
}

/** The lists that can narrow a search, the best first. */
function keepUseful(clauses: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const distinct = new Map<string, { texts: readonly string[]; shortest: number }>()
  for (const clause of clauses) {
    const texts = [...new Set(clause.map((text) => [...text].slice(0, MAX_CHARACTERS).join('')))]
    const shortest = Math.min(...texts.map((text) => [...text].length))
    if (texts.length > MAX_TEXTS || shortest < MIN_CHARACTERS) continue
    distinct.set(JSON.stringify(texts), { texts, shortest })
  }
  return [...distinct.values()]
    .sort((a, b) => b.shortest - a.shortest || a.texts.length - b.texts.length)
    .slice(0, MAX_CLAUSES)
    .map(({ texts }) => texts)
}
