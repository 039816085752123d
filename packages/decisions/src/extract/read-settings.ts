import { areaOf } from './area.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { AS_IT_IS } from './lexicon/at-hand-words.ts'
import { SAYS_OF } from './lexicon/setting-words.ts'
import { isSettingName, isSettingNoun, settingSlot } from './setting-names.ts'

const UNIT = String.raw`(?:ms|milliseconds?|msec|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?|[kmgt]i?b(?:ps)?|bytes?|%|percent|px|r?em|pt|tokens?|chars?|characters?|lines?|rows?|items?|records?|entries|requests?(?:\s?(?:\/|per)\s?\w+)?|rps|qps|req\/s|cents?|euros?|dollars?|retries|times|attempts|workers|threads|connections|replicas|instances|spaces|columns|elements|messages|pages|fps|hz|mm|cm|kg|g|messages|users|x|k|sekunden|minuten|stunden|tage|zeichen|secondes?|heures?|jours?|segundos?|minutos?|horas?|d[ií]as?|секунд\w*|минут\w*|час\w*|дн\w+|秒|分钟|分|小时|天|時間|日|초|분|시간|일)`
const NUMBER = String.raw`[-+]?[$€£]?\d[\d_,]*(?:\.\d+)*(?:e-?\d+)?(?:\s?(?:\/|per)\s?(?:second|minute|hour|day|s|min|h|user|ip))?(?:\s?-?${UNIT}(?![\p{L}]))?(?:\s?(?:\/|per)\s?(?:second|sec|minute|min|hour|day|s|h|user|ip|request|page|client))?`
const WORD_VALUE = String.raw`(?:true|false|on|off|enabled|disabled|none|null|unlimited|infinite|auto|strict|lax|debug|info|warn(?:ing)?|error|trace|verbose|silent|utc|[a-z]{2}(?:[-_][A-Z]{2})|[A-Z][a-z]+\/[A-Z][a-z_]+|[\w.-]*\d[\w.-]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|zero|fifteen|twenty|thirty|sixty|hundred)`
const VALUE = `(?:${NUMBER}|${WORD_VALUE})`

const FILE = /\.(?:[cm]?[jt]sx?|json|md|py|rs|go|ya?ml|toml|html?|css|sql|sh|txt|rb|java)$/i

const NAME = String.raw`(?:(?:the|our|a|an|its|default|all)\s+){0,2}(?<name>[\p{L}$_-][\p{L}\p{N}_.$-]*(?:\s+(?!to\b|is\b|at\b|as\b|from\b|should\b|must\b|for\b)[\p{L}\p{N}_.-]+){0,4}?)`
const AREA = String.raw`(?:\s+(?<area>(?:for|in|on|of|per)\s+[\p{L}\p{N} _'-]{2,40}?))?`
const FROM = String.raw`(?:\s+from\s+(?<old>${VALUE}))?`
const LEAD = String.raw`(?:^|[,;:(]\s*|\b(?:and|then|so|but|also|please|just|ok|okay|yes|now|instead|let'?s|to|we'll|we will|i'll|i'd|i would|shall i|shall we|should i|should we|i could|i can|we can|we could|i will|actually|no)\s+)`

const PATTERNS: readonly {
  readonly pattern: RegExp
  readonly isChange: boolean
  readonly isNamed: boolean
}[] = [
  {
    pattern: new RegExp(
      String.raw`${LEAD}(?:bump|raise|increase|lower|decrease|reduce|change|drop|cut|update|adjust|double|shorten|extend|switch|move|turn)(?: up| down)?\s+${NAME}${AREA}${FROM}\s*(?:to|down to|up to|at)\s+(?<value>${VALUE})${AREA2()}`,
      'giu',
    ),
    isChange: true,
    isNamed: false,
  },
  {
    pattern: new RegExp(
      String.raw`${LEAD}(?:set|make|put|configure|keep|fix|pin|default|define|limit|cap|use|have|leave|hold)\s+${NAME}${AREA}${FROM}\s*(?:to be|to|at|=|as|equal to|under|below|of|:)\s+(?:a max(?:imum)? of |at most |no more than )?(?<value>${VALUE})${AREA2()}`,
      'giu',
    ),
    isChange: false,
    isNamed: false,
  },
  {
    pattern: new RegExp(
      String.raw`(?:^|[,;:(]\s*|\b(?:and|with|use|using|that|so|want|need|give it|has|have|keep|set|the|our|a|an|no|actually|is|but)\s+)${NAME}${AREA}\s*(?:\s(?:should be|must be|will be|shall be|needs to be|has to be|is now|is going to be|should stay(?: at)?|stays at|stays|defaults to|should default to|is|are|of|be)\s|=|:)\s*(?:set to |exactly |always |now |at most |a max(?:imum)? of |max(?:imum)? |still |at |limited to |capped at )?(?<value>${VALUE})${AREA2()}`,
      'giu',
    ),
    isChange: false,
    isNamed: true,
  },
  {
    pattern: new RegExp(
      String.raw`(?:^|[,;:(]\s*|\b(?:use|using|with|on|set|at)\s+)(?:a |an |the )?(?<name>port|batch size|page size|chunk size|seed|temperature|max tokens|timeout|ttl|concurrency|line length|tab width|log level|pool size|top[_ -]?[kp])\s+(?<value>${VALUE})${AREA2()}`,
      'giu',
    ),
    isChange: false,
    isNamed: false,
  },
]

function AREA2(): string {
  return String.raw`(?=[\s,.;:!?)]|$)(?:\s+(?<place>(?:for|in|on)\s+[\p{L}\p{N} _'-]{2,40}))?`
}

const ASSIGNMENT =
  /(?:^|[\s,(])(?<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|--[a-z][\w-]+)\s?=\s?(?<value>[^\s"'`,;)]{1,60})/gu

const COUNTED =
  /\b(?<limit>at most|no more than|up to|max\.?|(?:a )?max(?:imum)?(?: of)?|limit(?: it| them| this)? to|cap(?:ped)?(?: it| them)? at|at least|no fewer than|(?:a )?min(?:imum)?(?: of)?|not more than)\s+(?<value>\d[\d,_]*)\s+(?<name>(?:concurrent |parallel |open |simultaneous |failed |login )?(?:retries|attempts|connections|workers|\p{L}+s|tries))\b(?<area>\s+(?:per|in|for)\s+[\w -]{2,30})?/giu
const RETRY =
  /\b(?:retry|retries|try)\s+(?:it |them |failed \w+ |requests? |up to |at most |a max(?:imum)? of |exactly ){0,3}(?<value>\d+|two|three|four|five|six|ten)\s+times\b|\b(?:retry|try)\s+(?:it |them |failed \w+ |requests? )?(?<twice>twice|once)\b/giu
const TIMEOUT = /\b(?:time ?out|expire|expires)\s+(?:\w+ ){0,3}?after\s+(?<value>\d+\s?\w+)/giu

/** "make the request timeout 10 s", with the old value behind it. */
const INSTEAD = new RegExp(
  String.raw`(?:^|[,;:(]\s*|\b(?:and|then|so|please|actually|let's|now)[,\s]\s*)(?:make|keep|give|have)\s+${NAME}\s+(?<value>${NUMBER})(?:\s+instead of\s+(?<old>${NUMBER}))?`,
  'giu',
)
/** "learning rate 0.001, batch size 64": a name and its value, and nothing else. */
const NOTE = new RegExp(
  String.raw`(?:^|[,;:]\s*|\band\s+)(?:(?:the|a|with|also|then|and|ok|so)\s+)*(?<name>(?:[\p{L}_-]+\s+){0,3}[\p{L}_-]+)\s+(?<value>${NUMBER})(?:\s+(?:instead|please|each|now|then|max|total))*(?=\s*(?:[,;.!)]|$|\band\b|\bper\b|\bfor\b))`,
  'giu',
)
const EVERY = new RegExp(
  String.raw`(?:^|[,;:(]\s*|\b(?:and|to|should|must|will|then|we|please)\s+)(?<name>sync|poll|refresh|flush|back ?up|retry|check|run|ping|save|autosave|rotate|snapshot|update|scrape|sample|report|clean ?up|purge)(?:s|es)?\s+(?:[\p{L}]+\s+){0,2}?every\s+(?<value>${NUMBER})`,
  'giu',
)
const RUNS_AT = new RegExp(
  String.raw`(?:^|[,;:]\s*|\b(?:and|the|our)\s+)(?<name>[\p{L}][\p{L}\d -]{1,30}?)\s+(?:(?:should|must|will)\s+)?(?:runs?|operates?|ticks?|renders?|samples?|defaults?|starts?|caps?|expires?|times? out)\s+(?:at|to|after|with)\s+(?<value>${NUMBER}(?:\s+(?!(?:and|or|for|in|per|by|on|at|with)\b)\p{L}+)?)`,
  'giu',
)

/** "use 8 workers", "5 retries, then give up", "20 results per page". */
const QUANTITY =
  /(?:^|[,;:]\s*|\b(?:use|using|with|give it|show|allow|run|have|need|want|make it|and|to|for|let's do|go with|only)\s+)(?:it with |exactly |only |just |about |at most |up to )?(?<value>\d[\d,]*|two|three|four|five|six|eight|ten|twelve|twenty)[\s-]+(?<name>(?:\p{L}+ )?(?:retries|attempts|workers|replicas|threads|epochs|folds?|lives|connections|instances|shards|partitions|iterations|layers|fps|items per page|results per page|rows per page|entries per page|per page|decimals|decimal places|processes|nodes|levels|hours per day|columns|players|rounds|turns|spins))(?!\p{L})/giu
/** "sessions last 30 days", "cache entries live for 10 minutes". */
const LASTS = new RegExp(
  String.raw`(?:^|[,;:]\s*|\b(?:and|the|our|all)\s+)(?<name>\p{L}+(?: \p{L}+)?)\s+(?:(?:should|must|will)\s+)?(?:lasts?|lives?(?: for)?|(?:is|are|stays?|remains?) (?:valid|cached|kept|active|open|alive)(?: for)?|expires? (?:after|in)|time out after|times out after)\s+(?<value>${NUMBER})`,
  'giu',
)
/** "keep logs for 14 days". */
const KEPT = new RegExp(
  String.raw`(?:^|[,;:]\s*|\b(?:and|we|please|let's|to|should|must)\s+)(?:keep|retain|store|cache|hold)s?\s+(?:the |our |all )?(?<name>\p{L}+(?: \p{L}+)?)\s+for\s+(?<value>${NUMBER})`,
  'giu',
)
const LISTEN = /\b(?:listen|serve|bind|run it|expose it)s?\s+on\s+(?:port\s+)?(?<value>\d{2,5})\b/giu

/** "every player gets 3 lives". */
const GETS =
  /(?:^|[,;:]\s*|\b(?:and|the|each|every|a|new)\s+)(?!(?:i|we|you|it|he|she|they|that|this)\s)(?:\p{L}+\s+){1,3}(?:should get|must have|starts with|gets?|may have)\s+(?<value>\d[\d,]*)\s+(?<name>\p{L}+s)\b/giu

function isNote({ groups }: RegExpMatchArray): boolean {
  const { name = '', value = '' } = groups ?? {}
  return (
    isSettingNoun(name) &&
    !/\b(?:is|are|was|were|the|line(?! length)|step|version|took|takes|got|get|after|in|on|at|to|of|error|issue|pr)\b/i.test(
      name,
    ) &&
    value !== ''
  )
}

/** "API prefix is /api/v2": names of what has a value in words. */
const WORDED =
  /(?:^|[,;:(]\s*|\b(?:the|our|and|an?)\s+)(?<name>(?:[\p{L}\d_-]+\s+){0,2}(?:prefix|suffix|url|uri|host(?:name)?|domain|namespace|route|mount point|endpoint|region|locale|bucket|topic|base path|root path|algorithm|charset|user agent|content type|time ?zone))\s*(?:\s(?:is|should be|must be|will be|shall be|stays|becomes|to)\s+|[=:]\s*)(?:always\s+|now\s+|set to\s+)?(?<value>(?:https?:\/\/)?(?=[^\s]*[/_.\d-])[\w/@.:{}*+-]*[\w/}*])(?=[\s.,;!)]|$)/giu

/** Numeric and named settings: "set max retries to 5", "the timeout is 30 s", "port 8080", `MAX_RETRIES=5`. */
export function readSettings(clause: Clause): Finding[] {
  const { shape } = clause
  if (
    /\b(?:right now|currently|at the moment|so far|as of today|yesterday|this morning|fails?|failing|crash\w*|hangs?|took|complain\w*)\b/i.test(
      shape,
    )
  )
    return []
  if (
    !/\d|\/|\b(?:prefix|suffix|region|locale|domain|true|false|on|off|enabled|disabled|debug|info|unlimited|twice|[a-z]{2}[-_][A-Z]{2}|one|two|three|four|five|six|seven|eight|nine|ten|utc|strict|verbose|warn)\b/i.test(
      shape,
    )
  )
    return []
  const found: (Finding & { readonly at: number })[] = []
  const taken: { start: number; end: number }[] = []
  const add = (match: RegExpMatchArray, name: string, isChange: boolean): void => {
    const { twice = '', value = twice, old, area = '', place = '' } = match.groups ?? {}
    // "the number of retries" is the retries.
    const slot = settingSlot(name) || settingSlot(area)
    const [start, end] = [match.index ?? 0, (match.index ?? 0) + match[0].length]
    if (slot === '' || taken.some((other) => start < other.end - 1 && other.start < end - 1)) return
    if (/^(?:in|on|at|to)$/i.test(value) || AS_IT_IS.test(name)) return
    taken.push({ start, end })
    found.push({
      at: start,
      kind: 'choice',
      slot: `setting:${slot}`,
      value: value.trim().replace(/[.,]$/, ''),
      area: areaOf(area, '') || areaOf(place, ''),
      start: clause.start,
      end: clause.end,
      isChange:
        isChange ||
        old !== undefined ||
        /\b(?:instead|no longer|now|actually|from now on)\b/i.test(clause.sentence),
      ...(old !== undefined && { replaces: old }),
      ...(clause.reason !== undefined && { reason: clause.reason }),
    })
  }
  for (const match of shape.matchAll(RETRY)) add(match, 'max retries', false)
  for (const match of shape.matchAll(ASSIGNMENT)) add(match, match.groups?.name ?? '', false)
  for (const { pattern, isChange, isNamed } of PATTERNS)
    for (const match of shape.matchAll(pattern)) {
      const { name = '', value = '' } = match.groups ?? {}
      if (FILE.test(name) || /^(?:it|this|that|them|there|here)$/i.test(name)) continue
      const isSetting = isSettingName(name)
      const number = /^[-+$€£]?\d/.test(value)
      if (isNamed && !isSetting) continue
      const at = shape.indexOf(value, match.index + match[0].indexOf(name) + name.length)
      const isOf = isNamed && /\bof\s*$/i.test(shape.slice(match.index, at))
      if (isOf && SAYS_OF.test(shape.slice(at + value.length))) continue
      // What something weighs is measured.
      if (isNamed && /^(?:the )?(?:size|length|weight|age)$/i.test(name) && /[a-z]$/i.test(value)) continue
      if (!isSetting && !(number && isThing(name))) continue
      add(match, name, isChange)
    }
  for (const match of shape.matchAll(COUNTED)) {
    const { limit = '', name = '' } = match.groups ?? {}
    add(match, `${/least|min|fewer/i.test(limit) ? 'min' : 'max'} ${name}`, false)
  }
  for (const match of shape.matchAll(INSTEAD)) add(match, match.groups?.name ?? '', true)
  for (const match of shape.matchAll(NOTE))
    if (isNote(match)) add(match, match.groups?.name ?? '', /\binstead\b/i.test(shape))
  for (const match of shape.matchAll(EVERY)) add(match, `${match.groups?.name ?? ''} interval`, false)
  for (const match of shape.matchAll(RUNS_AT)) add(match, match.groups?.name ?? '', false)
  for (const match of shape.matchAll(QUANTITY)) add(match, match.groups?.name ?? '', false)
  for (const match of shape.matchAll(LASTS)) add(match, `${match.groups?.name ?? ''} lifetime`, false)
  for (const match of shape.matchAll(KEPT)) add(match, `${match.groups?.name ?? ''} retention`, false)
  for (const match of shape.matchAll(LISTEN)) add(match, 'port', false)
  for (const match of shape.matchAll(GETS)) add(match, match.groups?.name ?? '', false)
  for (const match of shape.matchAll(TIMEOUT)) add(match, 'timeout', false)
  for (const match of shape.matchAll(WORDED)) add(match, match.groups?.name ?? '', false)
  return found.sort((a, b) => a.at - b.at).map(({ at: _, ...finding }) => finding)
}

function isThing(name: string): boolean {
  return (
    /^[\p{L}][\p{L} _-]{2,40}$/u.test(name) &&
    !/\b(?:test|tests|build|page|branch|code|it|them|file|files|function|class)\b/i.test(name)
  )
}
