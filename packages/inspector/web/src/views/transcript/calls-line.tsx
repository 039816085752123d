import { useMemo } from 'react'
import { countTools, messagesIn, type TranscriptRow, timeBetween } from '../../data/transcript-rows.ts'
import { formatAmount, formatCount, formatDuration } from '../../format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import ui from '../../ui/ui.module.css'
import classes from './transcript.module.css'

interface CallsLineProps {
  readonly rows: readonly TranscriptRow[]
  readonly isOpen: boolean
  readonly hits: ReadonlyMap<number, number>
  readonly onToggle: () => void
}

export function CallsLine({ rows, isOpen, hits, onToggle }: CallsLineProps) {
  const { calls, names, facts } = useMemo(() => summed(rows, hits), [rows, hits])
  return (
    <button
      type="button"
      className={`list-button ${classes.calls}`}
      aria-expanded={isOpen}
      data-testid="calls"
      onClick={onToggle}
    >
      <b>
        {isOpen ? '▾' : '▸'} {formatAmount(calls, 'call')}
      </b>
      {names.map(([name, { calls: times, failed }]) => (
        <span key={name}>
          <PlainText text={name} /> <span className="quiet">{formatCount(times)}</span>
          {failed > 0 && <span className={ui.failed}> {formatCount(failed)} failed</span>}
        </span>
      ))}
      <span className="quiet">{facts.join(' · ')}</span>
    </button>
  )
}

function summed(rows: readonly TranscriptRow[], hits: ReadonlyMap<number, number>) {
  const said = rows.flatMap(messagesIn)
  const names = [...countTools(rows).tools].sort(([, a], [, b]) => b.calls - a.calls)
  const [first, last] = [rows[0], said.at(-1)]
  const took = first && last && timeBetween(first.message, last.message)
  const found = said.reduce((sum, { index }) => sum + (hits.get(index) ?? 0), 0)
  const facts = [
    formatAmount(
      said.reduce((sum, { message }) => sum + message.tokens, 0),
      'token',
    ),
    took !== undefined && formatDuration(took + (first?.took ?? 0)),
    found > 0 && formatAmount(found, 'match', 'matches'),
  ].filter((fact) => fact !== false)
  return { calls: names.reduce((sum, [, { calls }]) => sum + calls, 0), names, facts }
}
