import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { type TranscriptRow, type Turn, turnsOf } from '../../data/transcript-rows.ts'
import { formatAmount, formatDuration } from '../../format.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import classes from './transcript.module.css'

interface OutlineProps {
  readonly rows: readonly TranscriptRow[]
  readonly height: string
  readonly current: number | null
  readonly onPlace: (seq: number) => void
}

const keyOf = ({ index }: Turn) => index
const TITLE = 120

export function Outline({ rows, height, current, onPlace }: OutlineProps) {
  const turns = useMemo(() => turnsOf(rows), [rows])
  const isNarrow = useMediaQuery('(max-width: 1000px)', undefined, { getInitialValueInEffect: false })
  const [isOpen, setOpen] = useState(false)
  if (turns.length === 0) return null
  const choose = (seq: number) => {
    setOpen(false)
    onPlace(seq)
  }
  return (
    <nav className={classes.outline} aria-label="Turns of the user">
      {isNarrow ? (
        <TextButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {formatAmount(turns.length, 'turn')} of the user
        </TextButton>
      ) : (
        <h2>{formatAmount(turns.length, 'turn')}</h2>
      )}
      {(isOpen || !isNarrow) && (
        <VirtualList
          items={turns}
          keyOf={keyOf}
          estimate={() => 52}
          label="Turns"
          height={isNarrow ? 240 : `calc(${height} - 26px)`}
          render={(turn) => <TurnLine turn={turn} isCurrent={turn.index === current} onPlace={choose} />}
        />
      )}
    </nav>
  )
}

interface TurnLineProps {
  readonly turn: Turn
  readonly isCurrent: boolean
  readonly onPlace: (seq: number) => void
}

function TurnLine({ turn, isCurrent, onPlace }: TurnLineProps) {
  const { message, calls, failed, took } = turn
  const { seq } = message
  const facts = [
    calls > 0 && formatAmount(calls, 'call'),
    failed > 0 && `${failed} failed`,
    took !== undefined && formatDuration(took),
  ].filter((fact) => fact !== false)
  return (
    <button
      type="button"
      className="list-button"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => seq !== null && onPlace(seq)}
    >
      <span className="clipped" data-preview="">
        <PlainText text={message.text.trim().split('\n', 1)[0]?.slice(0, TITLE) || '(no text)'} />
      </span>
      <span className="amount">{facts.join(' · ') || '–'}</span>
    </button>
  )
}
