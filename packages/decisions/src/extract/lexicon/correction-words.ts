const GAP = String.raw`[\s,:;.!–—-]+`
const FILLER = String.raw`(?:(?:ok|okay|hm+|oh|ah|sorry|so|and|but|well|und|et|y|e|и)[,\s]+)*`

/** "Correction:", "actually", "scratch that", with which a sentence takes back what was said. */
export const CORRECTS = new RegExp(
  String.raw`^\W*${FILLER}(?:(?:actually|correction|scratch that|strike that|(?:on|upon) second thoughts?|wait,? (?:no|actually)|wait(?=\s?[,.!–—])|no,? wait|no(?=,\s)|nope(?=,\s)|change of plans?|my (?:mistake|bad)|i was wrong(?: (?:about|on) (?:that|this|it))?|i misspoke|let me correct (?:that|myself)|i (?:have |'ve )?changed my mind|i take (?:that|it) back|` +
    String.raw`korrektur|eigentlich|doch lieber|nein(?=,\s)|moment(?=,\s)|vergiss das|planänderung|ich habe mich geirrt|ich lag falsch|` +
    String.raw`en fait|finalement|rectification|non(?=,\s)|oublie ça|je me suis trompée?|` +
    `corrección|en realidad|mejor dicho|pensándolo bien|olvida eso|me equivoqué|` +
    String.raw`correção|na verdade|pensando bem|esquece isso|me enganei|não(?=,\s)|` +
    String.raw`поправка|исправление|на самом деле|вернее|точнее|я ошиб(?:ся|лась)|забудь это|нет(?=,\s))(?!\p{L})(?:${GAP}|$)|` +
    String.raw`(?:更正|纠正一下|其实|不对|我说错了|改一下|訂正|やっぱり|間違えました|いや、|정정|아니다|사실은|다시 생각해 ?보니|잘못 말했(?:어|네)요?)[\s,:;.!，：、。]*)+`,
  'iu',
)

/** A value as it is named again: a number with its unit, or a name as code has them. */
const VALUE = String.raw`(?<old>[-+$€£]?\d[\d_.,]*(?<!,)(?<!\.)(?:\s?(?:ms|s|%|[kmg]i?b|px|hz|\p{L}{3,10}))?|[\p{L}_$~./@-]*[\p{L}\p{N}][_./:-][\p{L}\p{N}_$./@-]*[\p{L}\p{N}_/])`
/** The same, or one word. */
const NAME = String.raw`(?<name>[\p{L}][\p{L}\p{N}.+#-]*)`

/** "Forget 417." */
export const FORGETS = new RegExp(
  String.raw`^\W*(?:forget(?: about)?|never ?mind|ignore|scratch|strike|drop|not|no longer|vergiss|nicht|oublie[zr]?|olvida|esquece|esqueça|забудь(?:те)?|не|忘掉|忘了|不是)\s*(?:the\s+|about\s+)?(?:${VALUE}|${NAME})(?:\s*(?:then|please|any ?more))?\W*$`,
  'iu',
)
/** "Forget 417, the timeout is 500 ms." */
export const FORGETS_FIRST = new RegExp(
  String.raw`^\W*(?:forget(?: about)?|never ?mind|ignore|vergiss|oublie[zr]?|olvida|esquece|esqueça|забудь(?:те)?)\s+(?:the\s+)?${VALUE}\s*[,;:–—]\s+(?=\S)`,
  'iu',
)
/** "Not 417." says it of what was said before, "forget 417." of what comes. */
export const IS_BEHIND = /^\W*(?:not|no longer|nicht|не|不是)/iu

/** "not 417 but 500". */
export const NOT_BUT = new RegExp(
  String.raw`(?<!\p{L})(?<whole>(?:not|nicht|pas|no|não|не)\s+${VALUE},?\s+(?:but(?: rather)?|sondern|mais|sino|mas|а)\s+)|(?<wide>(?:不是|而不是)\s*(?<before>\d[\d.]*\s?\S{0,3}?)[,，]?\s*(?:而)?是\s*)`,
  'iu',
)
/** "500, not 417", "500 instead of 417". */
export const BEHIND_OLD = new RegExp(
  String.raw`(?:(?:,|\(|–|—)\s*(?:and\s+|und\s+)?(?:not|nicht|pas|et non|no|y no|não|e não|а не|не)|(?<!\p{L})(?:instead of|rather than|in place of|and not|statt|anstatt|au lieu de|plutôt que|en vez de|en lugar de|em vez de|ao invés de|вместо|а не))\s+(?:the\s+)?${VALUE}(?![\p{L}\p{N}_])`,
  'iu',
)
/** Words that say of a value that it takes the place of another. */
export const IN_PLACE =
  /(?<!\p{L})(?:instead|after all|on second thoughts?|changed my mind|i meant|scratch that|stattdessen|doch lieber|à la place|finalement|en su lugar|em vez disso|вместо этого)(?!\p{L})(?! of\b)|やっぱり|代わりに/iu
