/**
 * The word behind a decision, the strongest first: the user stated it, the user accepted it, the assistant proposed it. What
 * was only proposed is kept, and never shown as decided.
 */
export const AUTHORITIES = ['stated', 'accepted', 'proposed'] as const

export type Authority = (typeof AUTHORITIES)[number]

/** The stronger of two. */
export function strongerAuthority(a: Authority, b: Authority): Authority {
  return AUTHORITIES.indexOf(a) <= AUTHORITIES.indexOf(b) ? a : b
}
