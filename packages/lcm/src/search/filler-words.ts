/** English words that say how something is asked, not what is asked. */
export const FILLER_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are as at be because been before being between but by can could did do ' +
    'does doing done during each for from had has have having he her here him his how i if in into is it its just me ' +
    'more most my no not of off on once only or other our out over own please same she should so some such tell than ' +
    'that the their them then there these they this those through to too under until up us use used very was we were ' +
    'what when where which while who whom whose why will with would you your'
  ).split(' '),
)
