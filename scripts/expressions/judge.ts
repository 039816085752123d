import { Worker } from 'node:worker_threads'
import { type AttackPattern, check, type Diagnostics } from 'recheck'

/** `linear`, or why an expression is not known to be. */
export type Verdict =
  | { readonly kind: 'linear' }
  | { readonly kind: 'above linear'; readonly complexity: string; readonly attack: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** One judgement, in milliseconds. On a busy machine it takes ten times as long as on an idle one. */
const LIMIT_MS = 20_000
/** An attack of this length is run: a quadratic expression takes minutes for it, a linear one a part of a second. */
const ATTACK_CHARACTERS = 1_000_000
const ATTACKS_MS = [3_000, 3_000]

/**
 * Judges an expression by `recheck`. It counts the steps of short texts where it cannot reason, and takes the constant
 * factor of `{20,}` for growth: an attack counts when V8 itself does not come to the end of a long one, in none of the times that are given.
 */
export async function judge(source: string, flags: string, attacksMs = ATTACKS_MS): Promise<Verdict> {
  let found = await check(source, flags, { timeout: LIMIT_MS })
  if (found.status === 'unknown') found = await check(source, flags, { timeout: LIMIT_MS, checker: 'fuzz' })
  if (found.status === 'unknown') return { kind: 'unknown', reason: reasonOf(found) }
  if (found.status === 'safe') return { kind: 'linear' }
  for (const ms of attacksMs)
    if (await endsInTime(source, flags, textOf(found.attack), ms)) return { kind: 'linear' }
  const { complexity, attack } = found
  return { kind: 'above linear', complexity: complexity.summary, attack: attack.pattern }
}

function reasonOf({ error }: Extract<Diagnostics, { status: 'unknown' }>): string {
  return 'message' in error ? `${error.kind}: ${error.message}` : error.kind
}

function textOf({ pumps, suffix }: AttackPattern): string {
  const round = pumps.reduce((sum, { pump }) => sum + pump.length, 0)
  const times = Math.ceil(ATTACK_CHARACTERS / Math.max(1, round))
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix
}

const RUN = `
  const { parentPort, workerData: { source, flags, text } } = require('node:worker_threads')
  const expression = new RegExp(source, flags)
  if (flags.includes('g')) for (const _ of text.matchAll(expression));
  else expression.exec(text)
  parentPort.postMessage('end')
`

/** An expression that runs cannot be interrupted but with its thread. */
async function endsInTime(source: string, flags: string, text: string, ms: number): Promise<boolean> {
  const worker = new Worker(RUN, { eval: true, workerData: { source, flags, text } })
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  worker.once('message', () => resolve(true))
  worker.once('error', reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
