import type { ViewRequest } from '../../../src/view/session-view.ts'
import { kindFills } from '../charts/chart-colors.ts'
import { KINDS, promptTokens } from '../data/session-figures.ts'
import { formatCount } from '../format.ts'
import { cssColor, tokenKindLabels } from '../ui/kind-colors.ts'
import classes from './views.module.css'

interface KindTotalsProps {
  readonly request: ViewRequest
  readonly window: number
}

export function KindTotals({ request, window }: KindTotalsProps) {
  const total = promptTokens(request)
  const whole = Math.max(window, total, 1)
  return (
    <div>
      <div className={classes.share} aria-hidden="true">
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
