import { Badge } from '@mantine/core'
import { memo } from 'react'
import type { ViewMessage } from '../../../../src/view/session-view.ts'
import type { ContextRow } from '../../data/contexts.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { estimateHeight, MessageCard } from '../../ui/message-card.tsx'
import ui from '../../ui/ui.module.css'
import { VersionDiff } from '../../ui/version-diff.tsx'
import { useKept } from '../../ui/virtual-list.tsx'
import classes from './context.module.css'

interface ContextRowProps {
  readonly row: ContextRow
  readonly messages: readonly ViewMessage[]
  readonly isFirst: boolean
  readonly isCompacted: boolean
  readonly onToggle: (key: string) => void
}

export const ContextRowView = memo(function ContextRowView(props: ContextRowProps) {
  const { row, messages, isFirst, isCompacted, onToggle } = props
  if (row.type === 'run') {
    const tokens = row.indexes.reduce((sum, index) => sum + (messages[index]?.tokens ?? 0), 0)
    return (
      <button
        type="button"
        className={`list-button ${classes.run}`}
        data-change={row.change}
        aria-expanded={row.isOpen}
        onClick={() => onToggle(row.key)}
      >
        {row.isOpen ? '▾' : '▸'} {describeRun(row, messages, isCompacted)} · {formatAmount(tokens, 'token')}
      </button>
    )
  }
  const message = messages[row.index]
  if (!message) return null
  const before = row.before === undefined ? undefined : messages[row.before]
  return (
    <div className={classes.message} data-change={isFirst ? 'kept' : row.change}>
      <MessageCard message={message} index={row.index}>
        {!isFirst && row.change !== 'kept' && (
          <Badge size="xs" variant="light" color={CHANGES[row.change].color}>
            {CHANGES[row.change].label}
          </Badge>
        )}
      </MessageCard>
      {before && <Versions index={row.index} before={before.text} after={message.text} />}
    </div>
  )
})

const CHANGES = {
  added: { label: 'new', color: 'teal' },
  changed: { label: 'changed', color: 'blue' },
  removed: { label: 'gone', color: 'gray' },
}

function describeRun(
  { change, indexes }: Extract<ContextRow, { type: 'run' }>,
  messages: readonly ViewMessage[],
  isCompacted: boolean,
): string {
  const all = formatAmount(indexes.length, 'message')
  if (change === 'kept') return `${all} as before`
  const said = isCompacted ? indexes.filter((index) => messages[index]?.seq !== null).length : 0
  if (said === indexes.length) return `${all} went into the summary`
  return `${all} no longer shown${said === 0 ? '' : `, ${formatCount(said)} of them in the summary now`}`
}

export function estimateRow(row: ContextRow, messages: readonly ViewMessage[]): number {
  if (row.type === 'run') return 36
  return estimateHeight(messages[row.index])
}

interface VersionsProps {
  readonly index: number
  readonly before: string
  readonly after: string
}

function Versions({ index, before, after }: VersionsProps) {
  const [isOpen, setOpen] = useKept(`versions ${index}`, false)
  return (
    <div className={classes.versions}>
      <TextButton className={ui.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide what changed' : 'What changed in it'}
      </TextButton>
      {isOpen && <VersionDiff before={before} after={after} />}
    </div>
  )
}
