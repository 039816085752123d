import type { CompressResult, Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import type { ContractHost } from '../../contract-target.ts'
import { hostOf, messagesOf } from '../../harness/compaction-trials.ts'
import { longConversation } from '../../harness/conversations.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { expectSame } from '../../harness/difference.ts'
import { createPlainHost, halves } from '../../harness/plain-host.ts'
import { tryCompactions } from '../../harness/try-compactions.ts'

interface Run {
  readonly harness: Harness
  readonly host: () => Partial<ContractHost>
  readonly messages: readonly Message[]
  readonly force: boolean
}

/** Compacts twice on equal hosts, with different clocks and random numbers. Returns whether anything was compacted. */
async function isRepeatable(run: Run): Promise<boolean> {
  const first = await withChance({ now: Date.UTC(2024, 1, 29), dice: 0 }, () => compactions(run))
  const second = await withChance({ now: Date.UTC(2031, 6, 4, 13), dice: 0.999 }, () => compactions(run))
  expectSame(
    second,
    first,
    'the same input on an equal host gave another result; time comes from host.clock, ids and choices from the input',
  )
  return first.some(({ outcome }) => outcome === 'compacted')
}

async function compactions({ harness, host, messages, force }: Run): Promise<CompressResult[]> {
  const parts = host()
  const plain = createPlainHost(harness.create(parts), parts.tokens)
  const results: CompressResult[] = []
  for (const part of halves(messages)) {
    await plain.say(part)
    results.push(await plain.compact({ force }))
  }
  return results
}

interface Chance {
  readonly now: number
  readonly dice: number
}

/** Freezes `Date`, `Math.random` and `crypto.randomUUID` during a task, so that an engine that reads them is found. */
async function withChance<T>({ now, dice }: Chance, run: () => Promise<T>): Promise<T> {
  const uuid = `00000000-0000-4000-8000-${String(now).padStart(12, '0')}` as const
  const restore = [
    replace(globalThis, 'Date', dateAt(now)),
    replace(Math, 'random', () => dice),
    replace(globalThis.crypto, 'randomUUID', () => uuid),
  ]
  try {
    return await run()
  } finally {
    for (const undo of restore) undo()
  }
}

function dateAt(now: number): typeof Date {
  return class extends Date {
    constructor(...args: readonly [] | ConstructorParameters<typeof Date>) {
      super(...((args.length === 0 ? [now] : args) as ConstructorParameters<typeof Date>))
    }
    static override now = () => now
  } as typeof Date
}

function replace<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  value: Target[Key],
): () => void {
  const own = Object.getOwnPropertyDescriptor(target, key)
  Object.defineProperty(target, key, { value, configurable: true, writable: true })
  return () => {
    if (own === undefined) delete target[key]
    else Object.defineProperty(target, key, own)
  }
}

export const determinismCases: readonly ContractCase[] = [
  contractCase(
    'L11',
    'invariant 11: the same input gives the same output, whatever the system clock and random numbers are',
    async (harness) => {
      const run = { harness, host: () => ({}), messages: longConversation(), force: true }
      if (!(await isRepeatable(run))) throw new Error('nothing was compacted')
    },
  ),
  contractCase('P11', 'invariant 11 on generated conversations', (harness) =>
    tryCompactions(harness, (trial) =>
      isRepeatable({
        harness,
        host: () => hostOf(trial),
        messages: messagesOf(trial),
        force: trial.force,
      }),
    ),
  ),
]
