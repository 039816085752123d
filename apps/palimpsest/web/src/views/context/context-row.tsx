import { Badge } from '@mantine/core'
import { lazy, memo, Suspense, useState } from 'react'
import type { ViewMessage } from '../../../../src/view/session-view.ts'
import type { ContextRow } from '../../data/context-rows.ts'
import { estimateHeight } from '../../ui/estimate-height.ts'
import { formatAmount } from '../../ui/format-count.ts'
import { DownIcon, RightIcon } from '../../ui/icons.tsx'
import { MessageCard } from '../../ui/message-card.tsx'
import classes from './context.module.css'

const VersionDiff = lazy(async () => ({ default: (await import('./version-diff.tsx')).VersionDiff }))

export interface ContextRowProps {
  readonly row: ContextRow
  readonly messages: readonly ViewMessage[]
  /** Of the first request everything is new, which needs no saying. */
  readonly isFirst: boolean
  /** Whether a compaction was made for this request: where what is gone went. */
  readonly isCompacted: boolean
  readonly isHighlighted: boolean
  readonly onToggle: (key: string) => void
}

/** A message of a context, or several behind one line. */
export const ContextRowView = memo(function ContextRowView(props: ContextRowProps) {
  const { row, messages, isFirst, isCompacted, isHighlighted, onToggle } = props
  if (row.type === 'run') {
    const tokens = row.indexes.reduce((sum, index) => sum + (messages[index]?.tokens ?? 0), 0)
    const fate =
      row.change === 'kept' ? 'as before' : isCompacted ? 'went into the summary' : 'no longer shown'
    return (
      <button
        type="button"
        className={classes.run}
        data-change={row.change}
        aria-expanded={row.isOpen}
        onClick={() => onToggle(row.key)}
      >
        {row.isOpen ? <DownIcon /> : <RightIcon />}
        {formatAmount(row.indexes.length, 'message')} {fate} · {formatAmount(tokens, 'token')}
      </button>
    )
  }
  const message = messages[row.index]
  if (!message) return null
  const before = row.before === undefined ? undefined : messages[row.before]
  return (
    <div className={classes.message} data-change={isFirst ? 'kept' : row.change}>
      <MessageCard message={message} index={row.index} highlight={isHighlighted}>
        {!isFirst && <ChangeBadge change={row.change} />}
      </MessageCard>
      {before && <Versions before={before.text} after={message.text} />}
    </div>
  )
})

/** The height that a row is likely to have, in pixels. */
export function estimateRow(row: ContextRow, messages: readonly ViewMessage[]): number {
  if (row.type === 'run') return 36
  const message = messages[row.index]
  return message ? estimateHeight(message) + 6 : 0
}

function ChangeBadge({ change }: { readonly change: 'kept' | 'added' | 'changed' | 'removed' }) {
  if (change === 'kept') return null
  const { label, color } = {
    added: { label: 'new', color: 'teal' },
    changed: { label: 'changed', color: 'blue' },
    removed: { label: 'gone', color: 'gray' },
  }[change]
  return (
    <Badge size="xs" variant="light" color={color}>
      {label}
    </Badge>
  )
}

function Versions({ before, after }: { readonly before: string; readonly after: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={classes.versions}>
      <button type="button" className={classes.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide what changed' : 'What changed in it'}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <VersionDiff before={before} after={after} />
        </Suspense>
      )}
    </div>
  )
}
