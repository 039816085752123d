import { countMessages, errorText, type Message, type TokenCounter, type Warning } from '@palimpsest/core'
import { failureWarning } from '@palimpsest/summaries'
import type { CompactedWindow } from './compact-window.ts'
import { isConflict } from './frontier-keeper.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import type { ContextWindow } from './window.ts'

export function reasonOf({ created }: CompactedWindow): string {
  if (created.length === 0) return 'summarised-before'
  return created.some(({ writer }) => writer === 'model') ? 'summarised' : 'summarised-without-model'
}

export function describeCompaction({ summaries, tail }: ContextWindow, { created }: CompactedWindow): string {
  const leaves = created.filter(({ depth }) => depth === 0).length
  const messages = sum(summaries.map((summary) => summary.messages))
  const parts = [
    `${summaries.length} ${summaries.length === 1 ? 'summary' : 'summaries'} for ${messages} ${messages === 1 ? 'message' : 'messages'}`,
  ]
  if (leaves > 0) parts.push(`${leaves} new`)
  if (created.length > leaves) parts.push(`${created.length - leaves} condensed`)
  return [...parts, `kept ${tail.length} last`].join(', ')
}

export function storeWarning(error: unknown): Warning {
  if (isConflict(error)) return { code: 'store-conflict', message: errorText(error) }
  const why = error === undefined ? 'does not take messages' : `failed: ${errorText(error)}`
  const message = `the store ${why}; summaries are in memory only and are written as soon as it works`
  return { code: 'store-unavailable', message }
}

export function writeWarnings(
  { summaries, failure }: Pick<CompactedWindow, 'summaries' | 'failure'>,
  modelName: string | undefined,
): Warning[] {
  if (failure === undefined) return []
  const then = summaries === null ? 'nothing was compacted' : 'summaries without a model were used instead'
  return [failureWarning(modelName, failure, then)]
}

export function staying(
  {
    system,
    window,
    layout,
  }: {
    readonly system: readonly Message[]
    readonly window: ContextWindow
    readonly layout: CompactionPlan
  },
  tokens: TokenCounter,
): string {
  return [
    `system prompt ${countMessages(tokens, system)}`,
    ...(window.request === undefined ? [] : [`last user message ${window.request.tokens}`]),
    `end of the conversation ${sum(layout.tail.map((message) => message.tokens))}`,
  ].join(', ')
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
