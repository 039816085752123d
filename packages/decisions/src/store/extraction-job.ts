/** Turns that a model has yet to read. */
export interface ExtractionJob {
  /** From session, range and version (`jobId`): the same job twice is one. */
  readonly id: string
  /** Messages of the transcript, the first and one behind the last. */
  readonly from: number
  readonly to: number
  /** Version of the extraction that it is for. */
  readonly version: number
  /** Number of times that it was taken. */
  readonly attempts: number
}
