import { formatAmount, formatCount } from './format-count.ts'
import classes from './ui.module.css'

/** A number of tokens, set so that columns line up. `short` leaves out the noun, which a screen reader still hears. */
export function TokenCount({ tokens, short = false }: { readonly tokens: number; readonly short?: boolean }) {
  if (!short) return <span className={classes.count}>{formatAmount(tokens, 'token')}</span>
  return (
    <span className={classes.count} role="img" aria-label={formatAmount(tokens, 'token')}>
      {formatCount(tokens)}
    </span>
  )
}
