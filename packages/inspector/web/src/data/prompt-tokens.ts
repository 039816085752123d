import type { TokenKind, ViewRequest } from '../../../src/view/session-view.ts'

/** The parts of a prompt in the order in which they stand in it. */
export const KINDS: readonly TokenKind[] = ['tools', 'system', 'decisions', 'summaries', 'head', 'tail']

/** The whole prompt of a request, in tokens. */
export const promptTokens = ({ tokens }: Pick<ViewRequest, 'tokens'>): number =>
  KINDS.reduce((sum, kind) => sum + tokens[kind], 0)
