/** What the page was given can not be shown; the message is a sentence for people. */
export class PageDataError extends Error {
  override readonly name = 'PageDataError'
}
