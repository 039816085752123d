import { memo, useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Figure, figuresOf } from '../figures.ts'
import classes from './timeline.module.css'

export const Figures = memo(function Figures({ view }: { readonly view: SessionView }) {
  const figures = useMemo(() => figuresOf(view), [view])
  return <FigureList figures={figures} />
})

export function FigureList({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl className={`panel ${classes.figures}`}>
      {figures.map(({ name, label, value, shown, note }) => (
        <div key={name} className={classes.figure}>
          <dt className="quiet">{label}</dt>
          <dd>
            <span className={classes.figureValue} data-testid={name} data-value={value}>
              {shown}
            </span>
            <span className="quiet">
              <PlainText text={note} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
