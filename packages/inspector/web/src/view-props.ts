import type { SessionView } from '../../src/view/session-view.ts'

/** The pages of a session. */
export type PageName = 'timeline' | 'context' | 'transcript' | 'summaries' | 'decisions' | 'compare'

/** Where a person is: what the address behind `#` says. */
export interface Route {
  /** Undefined: the list of sessions. */
  readonly session?: string
  readonly page: PageName
  /** Index in `requests`. */
  readonly request?: number
  /** Index in `messages`. */
  readonly message?: number
  /** Id of a summary node. */
  readonly node?: string
  /** Id of a decision. */
  readonly decision?: string
  /** Id of the session that is compared with. */
  readonly other?: string
  /** What is searched for. */
  readonly query?: string
}

/** What every page of a session is given. */
export interface ViewProps {
  readonly view: SessionView
  readonly route: Route
  /** Goes to another place in the same session; what is not named is left out. */
  readonly go: (to: Omit<Route, 'session'>) => void
}
