/** What a tool call did to a file. */
export type FileOperation = 'read' | 'edited' | 'created' | 'deleted' | 'searched'

/** A file that a call names, with what the call did to it. */
export interface FileTouch {
  readonly path: string
  readonly operation: FileOperation
}
