import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { PAUSE, type TranscriptRow, type Turn, turnsOf } from '../../data/transcript-rows.ts'
import { formatAmount, formatClock, formatCount, formatDay, formatDuration } from '../../format.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import ui from '../../ui/ui.module.css'
import { VirtualList } from '../../ui/virtual-list.tsx'
import classes from './transcript.module.css'

interface OutlineProps {
  readonly rows: readonly TranscriptRow[]
  /** Matches of a search by the message's index. */
  readonly hits: ReadonlyMap<number, number>
  readonly height: string
  readonly current: number | null
  readonly onPlace: (seq: number) => void
}

const keyOf = ({ index }: Turn) => index
const TITLE = 120

export function Outline({ rows, hits, height, current, onPlace }: OutlineProps) {
  const turns = useMemo(() => turnsOf(rows, hits), [rows, hits])
  const at = turns.findIndex(({ index, last }) => current !== null && index <= current && current <= last)
  const jump = useMemo(() => ({ position: at, align: 'auto' as const }), [at])
  const amount = `${formatAmount(turns.length, 'turn')}${turns.some(({ message }) => message.at !== undefined) ? '' : ', without times'}`
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
        <h2>{amount}</h2>
      )}
      {(isOpen || !isNarrow) && (
        <VirtualList
          items={turns}
          keyOf={keyOf}
          estimate={() => 70}
          jump={jump}
          label="Turns"
          height={isNarrow ? 240 : `calc(${height} - 26px)`}
          render={(turn) => <TurnLine turn={turn} isCurrent={turn === turns[at]} onPlace={choose} />}
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
  const { message, calls, failed, took, pause, isNewDay, found } = turn
  const { seq, at } = message
  const before = [
    pause !== undefined && pause >= PAUSE && `${formatDuration(pause)} later`,
    isNewDay && at !== undefined && formatDay(at),
  ].filter((fact) => fact !== false)
  const facts = [
    at !== undefined && formatClock(at),
    calls === 0 ? 'no call' : formatAmount(calls, 'call'),
    took !== undefined && formatDuration(took),
  ].filter((fact) => fact !== false)
  return (
    <button
      type="button"
      className="list-button"
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => seq !== null && onPlace(seq)}
    >
      {before.length > 0 && <span className={classes.pause}>{before.join(', ')}</span>}
      <span className="clamped" data-preview="">
        <PlainText text={message.text.trim().split('\n', 1)[0]?.slice(0, TITLE) || '(no text)'} />
      </span>
      <span className="amount">
        {facts.join(' · ')}
        {failed > 0 && <span className={ui.failed}> · {formatCount(failed)} failed</span>}
        {found > 0 && <span className={classes.hits}>{formatAmount(found, 'match', 'matches')}</span>}
      </span>
    </button>
  )
}
