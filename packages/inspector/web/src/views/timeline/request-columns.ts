import type { ViewRequest } from '../../../../src/view/session-view.ts'
import { CACHE_PARTS } from '../../charts/cache-colors.ts'
import { KINDS, promptTokens } from '../../data/prompt-tokens.ts'
import { formatUsd } from '../../format.ts'
import { formatCount } from '../../ui/format-count.ts'
import { tokenKindLabels } from '../../ui/kind-colors.ts'

/** One column of the table of requests. */
interface RequestColumn {
  /** What a test finds it by. */
  readonly name: string
  readonly label: string
  /** Null: unknown. */
  readonly value: (request: ViewRequest) => number | null
  readonly format: (value: number) => string
}

const CACHE_LABELS = { read: 'Read', written: 'Written', uncached: 'Uncached' }

/** Every number that is known of a request. */
export const REQUEST_COLUMNS: readonly RequestColumn[] = [
  ...KINDS.map((kind) => ({
    name: kind,
    label: tokenKindLabels[kind],
    value: ({ tokens }: ViewRequest) => tokens[kind],
    format: formatCount,
  })),
  { name: 'prompt', label: 'Prompt', value: promptTokens, format: formatCount },
  { name: 'without', label: 'Without', value: ({ without }) => without, format: formatCount },
  ...CACHE_PARTS.map((part) => ({
    name: part,
    label: CACHE_LABELS[part],
    value: ({ cache }: ViewRequest) => cache?.[part] ?? null,
    format: formatCount,
  })),
  { name: 'usd', label: 'Dollars', value: ({ cache }) => cache?.usd ?? null, format: formatUsd },
]
