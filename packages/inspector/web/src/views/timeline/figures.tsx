import { memo, useMemo, useState } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { figuresOf } from '../figures.ts'
import classes from './timeline.module.css'

/** What is shown before somebody asks for more. */
const FIRST = 4

export const Figures = memo(function Figures({ view }: { readonly view: SessionView }) {
  const figures = useMemo(() => figuresOf(view), [view])
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={`panel ${classes.figuresPanel}`}>
      <dl className={classes.figures}>
        {figures.slice(0, isOpen ? undefined : FIRST).map(({ name, label, value, shown, note }) => (
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
      <TextButton className={classes.moreFigures} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'less' : 'more'}
      </TextButton>
    </div>
  )
})
