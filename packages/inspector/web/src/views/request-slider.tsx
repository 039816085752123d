import type { KeyboardEvent, ReactNode } from 'react'
import type { SessionView } from '../../../src/view/session-view.ts'
import { promptTokens } from '../data/session-figures.ts'
import { formatAmount, formatCount } from '../format.ts'
import { stepColumn } from './step-request.ts'
import classes from './views.module.css'

interface RequestSliderProps {
  readonly view: SessionView
  readonly request: number
  readonly onChange: (request: number) => void
  readonly onOpen: () => void
  readonly children: ReactNode
}

export function RequestSlider({ view, request, onChange, onOpen, children }: RequestSliderProps) {
  const shown = view.requests[request]
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return onOpen()
    const next = stepColumn(event.key, request, view.requests.length)
    if (next === undefined) return
    event.preventDefault()
    onChange(next)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.slider}
      aria-label="Request"
      aria-valuemin={1}
      aria-valuemax={view.requests.length}
      aria-valuenow={request + 1}
      aria-valuetext={
        shown
          ? `Request ${formatCount(request + 1)} of ${formatCount(view.requests.length)}, ${formatAmount(promptTokens(shown), 'token')}`
          : undefined
      }
      data-testid="request-slider"
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  )
}
