export type ArtifactOperation = 'read' | 'edited' | 'created' | 'deleted' | 'searched'

/** One entry of the artifact ledger: facts from the calls themselves, not from what was said about them. */
export interface ArtifactTouch {
  /** Index of the assistant's message that made the call, and the place of the call in it, from 0. */
  readonly message: number
  readonly call: number
  readonly turn: number
  readonly path: string
  readonly operation: ArtifactOperation
  /** True when the result says that the call failed. */
  readonly failed: boolean
}
