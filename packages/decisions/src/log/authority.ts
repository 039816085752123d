/**
 * Who stands behind a decision, the strongest first: what the user stated, what the user accepted, what was executed
 * and verified, what the assistant proposed. What was only proposed is kept, and never shown as decided.
 */
export const AUTHORITIES = ['stated', 'accepted', 'executed', 'proposed'] as const

export type Authority = (typeof AUTHORITIES)[number]

/** The stronger of two. */
export function strongerAuthority(a: Authority, b: Authority): Authority {
  return AUTHORITIES.indexOf(a) <= AUTHORITIES.indexOf(b) ? a : b
}
