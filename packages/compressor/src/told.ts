/** Lines that earlier compactions of this session have told in their summaries. */
export interface Told {
  /** True for the summary that the last of them wrote: it tells the head before it too. */
  summary(text: string): boolean
  /** True for a call whose transaction was shown whole, before a result of it was shortened in the tail. */
  call(id: string): boolean
}
