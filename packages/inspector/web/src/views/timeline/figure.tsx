import type { ReactNode } from 'react'
import classes from './timeline.module.css'

interface FigureProps {
  /** What a test finds it by. */
  readonly name: string
  readonly label: string
  /** As it stands in the session's JSON. */
  readonly value: number
  /** As people read it. */
  readonly text: string
  /** What it is to be read against. */
  readonly children: ReactNode
}

/** One number of the whole session. */
export function Figure({ name, label, value, text, children }: FigureProps) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={classes.figureValue} data-testid={name} data-value={value}>
          {text}
        </span>
        <span className={classes.figureNote}>{children}</span>
      </dd>
    </div>
  )
}
