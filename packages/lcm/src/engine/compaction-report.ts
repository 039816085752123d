import { countMessages, errorText, type Message, type TokenCounter, type Warning } from '@palimpsest/core'
import { failureWarning } from '@palimpsest/summaries'
import { StoreError } from '../errors/store-error.ts'
import type { CompactedWindow } from './compact-window.ts'
import type { CompactionPlan } from './plan-compaction.ts'
import type { ContextWindow } from './window.ts'

/** Why a compaction is one, by who wrote its summaries. */
export function reasonOf({ created }: CompactedWindow): string {
  if (created.length === 0) return 'summarised-before'
  return created.some(({ writer }) => writer === 'model') ? 'summarised' : 'summarised-without-model'
}

export function describeCompaction({ nodes, tail }: ContextWindow, { created }: CompactedWindow): string {
  const leaves = created.filter(({ depth }) => depth === 0).length
  const messages = sum(nodes.map((node) => node.messages))
  const parts = [
    `${nodes.length} ${nodes.length === 1 ? 'summary' : 'summaries'} for ${messages} ${messages === 1 ? 'message' : 'messages'}`,
  ]
  if (leaves > 0) parts.push(`${leaves} new`)
  if (created.length > leaves) parts.push(`${created.length - leaves} condensed`)
  return [...parts, `kept ${tail.length} last`].join(', ')
}

export function storeWarning(error: unknown, unsaved: number): Warning {
  const rest =
    unsaved === 0 ? '' : `; ${unsaved} messages are in memory only and are written as soon as it works`
  const isConflict = StoreError.isInstance(error) && error.code === 'STORE_CONFLICT'
  return isConflict
    ? { code: 'store-conflict', message: error.message }
    : { code: 'store-unavailable', message: `the store failed: ${errorText(error)}${rest}` }
}

export function replacedWarning(count: number): Warning {
  const message = `${count} stored messages are not in the history that the host began with, and count as replaced: a host has to begin with its whole history, or with the context of its session (showContext)`
  return { code: 'history-replaced', message }
}

export function writeWarnings(
  { nodes, failure }: Pick<CompactedWindow, 'nodes' | 'failure'>,
  modelName: string | undefined,
): Warning[] {
  if (failure === undefined) return []
  const then = nodes === null ? 'nothing was compacted' : 'summaries without a model were used instead'
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
