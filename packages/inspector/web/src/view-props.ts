import type { SessionView } from '../../src/view/session-view.ts'

export type PageName = 'timeline' | 'context' | 'transcript' | 'summaries' | 'decisions' | 'compare'

/** Where a person is: what the address behind `#` says. */
export interface Route {
  readonly session?: string
  readonly page: PageName
  readonly request?: number
  readonly message?: number
  readonly node?: string
  readonly decision?: string
  readonly other?: string
  readonly query?: string
}

export interface ViewProps {
  readonly view: SessionView
  readonly route: Route
  /** Goes to another place in the same session; what is not named is left out. */
  readonly go: (to: Omit<Route, 'session'>) => void
}
