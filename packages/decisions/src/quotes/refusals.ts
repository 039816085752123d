import type { Stretch } from '../extract/spoken-lines.ts'

/** Words that turn around what is said after them. Texts are compared without apostrophes. */
const NOT =
  /(?<!\p{L})(?:not|never|neither|nor|cannot|(?:do|does|did|wo|would|should|ca|could|must|is|are|was|were|ai|have|has|had|need)nt|no(?!\s*[,.!;:–—-])(?!\s+(?:problem|worries|objections?|doubt|matter|we|i|lets|it|use|please|go|take)(?!\p{L}))|nobody|nothing|none|refus\p{L}*|hates?|dislikes?|reject\p{L}*|forb[ia]d\p{L}*|ban(?:ned|s)?|nicht|keine?[mnrs]?|nie|niemals|ne|pas|jamais|non|nunca|jam[aá]s|ning[uú]n\p{L}*|n[aã]o|не|нет|нельзя|никогда|ни)(?!\p{L})|[不别別没未勿]|禁止/giu
/** Words for what is over or passed over. */
const AWAY =
  /(?<!\p{L})(?:instead of|rather than|in place of|as opposed to|without|avoid(?:s|ed|ing)?|against|no longer|stop(?:s|ped|ping)?|quit|drop(?:s|ped|ping)?|ditch\p{L}*|scrap(?:s|ped|ping)?|remov(?:e|es|ed|ing)|get(?:ting)? rid of|abandon\p{L}*|retir(?:e|ed|ing)|replac(?:e|es|ed|ing)|swap(?:s|ped|ping)?(?: out)?|forget(?: about)?|statt|anstatt|ohne|gegen|sans|sin|sem|senza|без|вместо)(?!\p{L})|代替|取消|放弃/giu
/** The old side of a change. */
const FROM =
  /(?<!\p{L})(?:switch|mov|migrat|chang|convert|port|transition|upgrad|downgrad|bump|renam|go|gone|went)\p{L}*\s(?:.*\s)?(?:from|off|off of)\s+(?:\p{L}+\s)?$/iu
/** Words behind "not" that keep it from turning anything around. */
const HARMLESS = /^\s*(?:only|just|forget|hesitate|worry|mind|wait)(?!\p{L})/iu
/** "not more than", "must not exceed": a limit is set that way. */
const LIMIT =
  /(?<!\p{L})(?:(?:more|longer|higher|larger|greater|bigger|later|older|fewer|less|lower|shorter|smaller)(?: than)?|exceed\p{L}*|over|above|beyond|below|under|mehr als|länger als|plus de|más de|mais de|более|больше)\s*$/iu
const VERB =
  'use|using|uses|go|going|take|takes|pick|choose|adopt|make|keep|stick|switch|move|set|we|well|were|i|ill|lets|its|it|is|are|should|will|must|nehmen|nimm|nutzen|utilisons|usamos|используем'
/** Where a sentence turns from what it refuses to what it takes. */
const AFTER_NOT = new RegExp(
  String.raw`(?:[,;:.–—]|(?<!\p{L})(?:and|but|so|then|because|since|und|et|y|e|и))\s+(?:\p{L}+\s+){0,2}?(?:${VERB})(?!\p{L})`,
  'iu',
)
const AFTER_AWAY = new RegExp(String.raw`\S[\s,]+(?:${VERB}|with|in favou?r of|durch|par|por)(?!\p{L})`, 'iu')
/** Words behind a value that say something of it. */
const TURNED_DOWN_BEHIND =
  /^(?:\s+[\p{L}\d]+){0,3}?\s+(?:(?:is|are|was|were|will|would|does|do|did|should|must|can|could|may|has|have|had)(?:nt|\s+(?:\p{L}+ly\s+)?(?:not|never|no|out|off|gone|dead|over|forbidden|banned|dropped|excluded|rejected))|(?:cannot|cant|wont|dont))(?!\p{L})|^[^,，。;.]{0,30}(?:(?<!\p{L})(?:nicht|pas)(?!\p{L})|ない|ません|않|지 ?마|말자)/iu

/** Whether a clause turns down what it names at a place: "please do not use X", "X is not an option". */
export function turnsDown(flat: string, { start, end }: Stretch): boolean {
  const lead = flat.slice(0, start)
  // A value may begin with the verb that takes it up.
  const [verb = ''] = /^\S+/.exec(flat.slice(start, end)) ?? []
  return (
    reaches(lead, verb, NOT, AFTER_NOT) ||
    reaches(lead, verb, AWAY, AFTER_AWAY) ||
    FROM.test(lead) ||
    TURNED_DOWN_BEHIND.test(flat.slice(end))
  )
}

/** Whether the last of some words in a lead bears on what comes behind the lead. */
function reaches(lead: string, verb: string, words: RegExp, release: RegExp): boolean {
  const last = [...lead.matchAll(words)].at(-1)
  if (last === undefined) return false
  const between = lead.slice(last.index + last[0].length)
  if (HARMLESS.test(between) || LIMIT.test(between)) return false
  // "do not, under any circumstances, use …"
  return /^\s*,/.test(between) || !release.test(between + verb)
}

/** Whether a clause refuses anything: it takes up nothing then. */
export function refuses(flat: string): boolean {
  return [...flat.matchAll(NOT)].some(({ index, 0: word }) => !HARMLESS.test(flat.slice(index + word.length)))
}

/** Words that say of something that it is over. */
const OVER =
  /(?<!\p{L})(?:delete|cancel|revoke|undo|revert|skip|kill|nuke|axe|toss|scratch|withdraw|discontinue|deprecate|obsolete|over|out|off|gone|dead|take (?:it |that |this )?back|changed (?:my|our) minds?|never ?mind|any ?more|after all|streich\p{L}*|entfern\p{L}*|verw[eo]rf\p{L}*|weg|supprim\p{L}*|enlev\p{L}*|annul\p{L}*|oubli\p{L}*|laiss\p{L}* tomber|quita\p{L}*|elimin\p{L}*|olvid\p{L}*|cancel\p{L}*|esque[cç]\p{L}*|убер\p{L}*|отмен\p{L}*|забуд\p{L}*|удал\p{L}*)(?!\p{L})|去掉|删|やめ|削除|取り消|なし|취소|삭제|빼|그만|ない|않|말자/iu
/** "Do not drop it" ends nothing. */
const KEEPS =
  /(?<!\p{L})(?:not|never|dont|wont|cannot|cant|shouldnt|mustnt|nicht|ne|no|não|не)\s+(?:\p{L}+\s+){0,2}?(?:drop|remov|delet|ditch|scrap|cancel|revok|undo|revert|forget|abandon|get rid|retir|replac|stop|streich|entfern|supprim|oubli|quit|elimin|olvid|esque|убир|удал|отмен)/iu

/** Whether a clause says that something is over: "drop it", "we do not need that any more". */
export function saysOver(flat: string): boolean {
  if (KEEPS.test(flat)) return false
  return flat.search(NOT) >= 0 || flat.search(AWAY) >= 0 || OVER.test(flat)
}
