import { abortable, type Clock, errorText, redactSecrets, type Warning } from '@palimpsest/core'
import { createModelCooldown } from '@palimpsest/summaries'

/**
 * Gives a vector for each text, in their order and all of one length, at once or as a promise. `signal` says when the vectors are
 * no longer needed.
 */
export type Embed = (
  texts: readonly string[],
  options: { readonly signal: AbortSignal },
) => readonly ArrayLike<number>[] | PromiseLike<readonly ArrayLike<number>[]>

/** Texts of one call, and calls for one reading: what is left over is compared by its words. */
const TEXTS_PER_CALL = 96
const MAX_CALLS = 4
/** Vectors that are remembered, those that were looked up last. */
const MAX_KNOWN = 2_000
/** A service that failed is not asked again for this long, in milliseconds: no turn waits for it twice. */
const COOLDOWN_MS = 60_000

export interface EmbedderInput {
  readonly embed: Embed
  readonly clock: Clock
}

export type Embedder = ReturnType<typeof createEmbedder>

/** Vectors of texts, each asked for once. */
export function createEmbedder({ embed, clock }: EmbedderInput) {
  const cooldown = createModelCooldown()
  const known = new Map<string, Float64Array>()
  let length: number | undefined
  let failure: string | undefined
  let isTold = true

  const ask = async (texts: readonly string[], signal: AbortSignal): Promise<void> => {
    const answer: unknown = await abortable(
      Promise.resolve(embed(texts.map(redactSecrets), { signal })),
      signal,
    )
    const vectors = readVectors(answer, texts.length, length)
    texts.forEach((text, index) => {
      const vector = vectors[index]
      if (vector !== undefined) known.set(text, vector)
    })
    length = vectors[0]?.length ?? length
    for (const text of known.keys()) if (known.size > MAX_KNOWN) known.delete(text)
  }

  /** A vector, which is now the one that was looked up last. */
  const vectorOf = (text: string): Float64Array | undefined => {
    const vector = known.get(text)
    if (vector !== undefined) known.delete(text) && known.set(text, vector)
    return vector
  }

  return {
    /**
     * Gets the vectors of texts that are not known yet, for `limitMs` milliseconds at most. What fails is a warning, and
     * those texts are compared by their words. Rejects only with the signal's reason.
     */
    async prepare(
      texts: readonly string[],
      { limitMs, signal }: { readonly limitMs: number; readonly signal?: AbortSignal | undefined },
    ): Promise<void> {
      signal?.throwIfAborted()
      const missing = [...new Set(texts)].filter((text) => text.trim() !== '' && !vectorOf(text))
      if (missing.length === 0 || cooldown.isCooling(clock.now())) return
      const limit = AbortSignal.timeout(limitMs)
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit])
      try {
        for (let call = 0; call < MAX_CALLS && call * TEXTS_PER_CALL < missing.length; call++)
          await ask(missing.slice(call * TEXTS_PER_CALL, (call + 1) * TEXTS_PER_CALL), either)
      } catch (error) {
        signal?.throwIfAborted()
        failure = limit.aborted ? `no answer in ${limitMs / 1_000} s` : redactSecrets(errorText(error))
        isTold = false
        cooldown.failed(clock.now(), COOLDOWN_MS)
      }
    },
    /** Similarity of two texts, -1 to 1; undefined when one of them was not prepared. */
    similarity(a: string, b: string): number | undefined {
      const [left, right] = [vectorOf(a), vectorOf(b)]
      return left && right && left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0)
    },
    /** Faults since the last call. */
    takeWarnings(): readonly Warning[] {
      if (isTold || failure === undefined) return []
      isTold = true
      const message = `texts could not be compared by their meaning (embed: ${failure}); their words were compared`
      return [{ code: 'embedding-failed', message }]
    },
    status: (): Readonly<Record<string, unknown>> => ({
      vectors: known.size,
      ...(failure !== undefined && { lastFailure: failure }),
    }),
  }
}

/**
 * Vectors of length one.
 *
 * @throws TypeError that says what is wrong: as many vectors as texts, all of one length, of finite numbers.
 */
function readVectors(answer: unknown, count: number, length: number | undefined): Float64Array[] {
  if (!Array.isArray(answer)) throw new TypeError(`expected a list of ${count} vectors`)
  if (answer.length !== count) throw new TypeError(`expected ${count} vectors, got ${answer.length}`)
  let expected = length
  return answer.map((item: unknown) => {
    const isVector = Array.isArray(item) || (ArrayBuffer.isView(item) && 'length' in item)
    const vector = isVector ? Float64Array.from(item as ArrayLike<number>) : new Float64Array()
    const norm = Math.hypot(...vector)
    if (!Number.isFinite(norm) || norm === 0)
      throw new TypeError('expected each vector to be a list of finite numbers, not all of them 0')
    expected ??= vector.length
    if (vector.length !== expected)
      throw new TypeError(`expected vectors of ${expected} numbers, got one of ${vector.length}`)
    return vector.map((value) => value / norm)
  })
}
