import { ActionIcon } from '@mantine/core'
import type { ViewRequest } from '../../../src/view/session-view.ts'
import { KINDS, promptTokens } from '../data/session-figures.ts'
import { formatAmount, formatCount } from '../format.ts'
import { useKeys } from '../shell/use-keys.ts'
import { tokenKinds } from '../ui/colors.ts'
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
      {by < 0 ? '←' : '→'}
    </ActionIcon>
  )
  return (
    <div className={classes.picker}>
      {step('before', -1)}
      {step('after', 1)}
      <span data-testid="selected-request" data-value={request + 1}>
        Request {formatCount(request + 1)} <span className="quiet">of {formatCount(count)}</span>
      </span>
      <input
        type="range"
        className={classes.pickerSlider}
        aria-label="Request"
        min={1}
        max={count}
        disabled={count === 1}
        value={request + 1}
        onChange={(event) => move(Number(event.currentTarget.value) - 1)}
      />
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
            style={{ width: `${(100 * request.tokens[kind]) / whole}%`, background: tokenKinds[kind].fill }}
          />
        ))}
      </div>
      <ul className={classes.kinds} aria-label="Tokens of this prompt">
        <li>
          <b>{formatCount(total)}</b>{' '}
          <span className="quiet">
            of a window of {formatAmount(window, 'token')}
            {request.reported !== undefined &&
              request.reported !== total &&
              `; the provider counted ${formatCount(request.reported)}`}
          </span>
        </li>
        {KINDS.map((kind) => (
          <li key={kind}>
            <i className="swatch" style={{ background: tokenKinds[kind].fill }} />
            <span className="quiet">{tokenKinds[kind].label}</span>{' '}
            <b data-testid={`context-${kind}`} data-value={request.tokens[kind]}>
              {formatCount(request.tokens[kind])}
            </b>
          </li>
        ))}
      </ul>
    </div>
  )
}
