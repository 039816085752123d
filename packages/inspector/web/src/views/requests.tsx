import { ActionIcon, NumberInput, Slider } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import type { SessionView, ViewRequest } from '../../../src/view/session-view.ts'
import { KINDS, promptTokens } from '../data/session-figures.ts'
import { formatAmount, formatCount } from '../format.ts'
import { useKeys } from '../shell/use-keys.ts'
import { LeftIcon, RightIcon } from '../ui/buttons.tsx'
import { cssColor, kindFills, tokenKindLabels } from '../ui/colors.ts'
import classes from './views.module.css'

interface RequestPickerProps {
  readonly request: number
  readonly count: number
  readonly onChange: (request: number) => void
}

export function RequestPicker({ request, count, onChange }: RequestPickerProps) {
  const move = (to: number) => {
    const next = Math.max(0, Math.min(count - 1, to))
    if (next !== request) onChange(next)
  }
  useKeys(['ArrowLeft', 'ArrowRight'], (key) => move(request + (key === 'ArrowLeft' ? -1 : 1)))
  const step = (where: 'before' | 'after', by: 1 | -1) => (
    <ActionIcon
      variant="default"
      aria-label={`The request ${where}`}
      disabled={request + by < 0 || request + by >= count}
      onClick={() => move(request + by)}
    >
      {by < 0 ? <LeftIcon /> : <RightIcon />}
    </ActionIcon>
  )
  return (
    <div className={classes.picker}>
      {step('before', -1)}
      <NumberInput
        aria-label="Request"
        size="xs"
        className={classes.pickerNumber}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        value={request + 1}
        min={1}
        max={count}
        onChange={(value) => {
          if (typeof value === 'number' && value >= 1) move(value - 1)
        }}
        data-testid="request-number"
      />
      <span className={classes.quiet}>of {formatCount(count)}</span>
      {step('after', 1)}
      <Slider
        className={classes.pickerSlider}
        size="sm"
        label={null}
        thumbLabel="Request"
        min={1}
        max={Math.max(count, 2)}
        disabled={count === 1}
        value={request + 1}
        onChange={(value) => move(value - 1)}
      />
    </div>
  )
}

const PAGE = 10

type Steps = Readonly<Record<string, number>>

/** On an axis: what is further is right or up. */
const AXIS: Steps = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -PAGE,
  PageUp: PAGE,
  Home: -Infinity,
  End: Infinity,
}

const LIST: Steps = {
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
  Home: -Infinity,
  End: Infinity,
}

const stepColumn = (key: string, request: number, count: number) => step(AXIS, key, request, count)

export const stepRow = (key: string, request: number, count: number) => step(LIST, key, request, count)

function step(steps: Steps, key: string, request: number, count: number): number | undefined {
  const by = steps[key]
  return by === undefined ? undefined : Math.max(0, Math.min(count - 1, request + by))
}

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

interface KindTotalsProps {
  readonly request: ViewRequest
  readonly window: number
}

export function KindTotals({ request, window }: KindTotalsProps) {
  const total = promptTokens(request)
  const whole = Math.max(window, total, 1)
  return (
    <div>
      <div className={classes.share} data-colors aria-hidden="true">
        {KINDS.map((kind) => (
          <span
            key={kind}
            style={{
              width: `${(100 * request.tokens[kind]) / whole}%`,
              background: cssColor(kindFills[kind]),
            }}
          />
        ))}
      </div>
      <ul className={classes.kinds} aria-label="Tokens of this prompt">
        <li>
          <b data-testid="context-total" data-value={total}>
            {formatCount(total)}
          </b>{' '}
          <span className={classes.quiet}>of {formatCount(window)} tokens</span>
        </li>
        {KINDS.map((kind) => (
          <li key={kind}>
            <i className="swatch" style={{ background: cssColor(kindFills[kind]) }} />
            <span className={classes.quiet}>{tokenKindLabels[kind]}</span>{' '}
            <b data-testid={`context-${kind}`} data-value={request.tokens[kind]}>
              {formatCount(request.tokens[kind])}
            </b>
          </li>
        ))}
      </ul>
    </div>
  )
}
