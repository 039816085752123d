import { anyFormOf } from './inflect.ts'

/** Units, in the languages that are read. */
const UNIT = String.raw`(?:ms|milliseconds?|msec|µs|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|quarters?|years?|[kmgt]i?b(?:ps)?|[kmg]?bit|bytes?|%|percent|px|r?em|pt|dpi|tokens?|chars?|characters?|words?|lines?|rows?|items?|records?|entries|samples?|rounds?|steps?|folds?|requests?(?:\s?(?:\/|per)\s?\w+)?|rps|qps|req\/s|cents?|euros?|dollars?|retries|times|attempts|tries|workers|threads|connections|replicas|instances|nodes|spaces|columns|elements|messages|pages|points|levels|stages|fps|k?hz|mhz|m?v|m?a|w|mm|cm|km|kg|g|°?c|db|users|x|k|baud|bps|sekunden|minuten|stunden|tagen?|wochen|monate|zeichen|versuche|secondes?|heures?|jours?|semaines?|mois|segundos?|minutos?|horas?|d[ií]as?|semanas?|meses|секунд\p{L}*|минут\p{L}*|час\p{L}*|дн\p{L}+|недел\p{L}+|раз\p{L}?|запрос\p{L}*|попыт\p{L}+|日間|時間|分間|秒間|週間|日间|秒|分钟|分|小时|天|次|时间|時間|日|回|초|분|시간|일|번|회)`
const NUMBER = String.raw`[-+]?[$€£]?\d[\d_,]*(?:\.\d+)*(?:e-?\d+)?`
const MEASURE = String.raw`${NUMBER}(?:\s?-?${UNIT}(?!\p{N})(?!(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])\p{L}))?(?:\s?(?:\/|per|pro|par|por)\s?(?:second|sec|minute|min|hour|day|s|h|user|ip|request|page|client|key|token|sekunde|minute|stunde|tag|seconde|heure|jour|segundo|hora|d[ií]a)(?!\p{L}))?`

/** A number with its unit, or a range of two. */
export const MEASURED = new RegExp(
  String.raw`(?<![\p{N}_.#/:@-])(?<!(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])\p{L})(?<value>\d{1,2}:\d{2}(?:\s?(?:am|pm|utc|uhr|h))?(?![\d:])|\d{1,2}\s?(?:am|pm|uhr)(?!\p{L})|(?:an?|one|two|three|four|five|six|ten|twelve|fifteen|twenty|thirty|sixty|ninety|half an?)\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)(?!\p{L})|${NUMBER}\s?[x×]\s?${NUMBER}(?:\s?px)?|${MEASURE}(?:\s?(?:-|–|bis|до|～)\s?${MEASURE})?)(?![\p{N}_/:@-])(?!(?![\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])\p{L})`,
  'giu',
)

/** Verbs that give something a value. */
export const SETTING_VERB = new RegExp(
  String.raw`^(?:${anyFormOf(
    `set make put configure keep fix pin default define limit cap use have leave hold bump raise increase lower decrease reduce
    change drop cut update adjust double halve shorten lengthen extend widen narrow switch move turn trim shrink grow restrict
    bound throttle clamp round store retain expire rotate require allow give assume take want need`,
  )}|setze?n?|stelle?n?|erhöhe?n?|senke?n?|begrenze?n?|mets|mettez|mettons|fixe[zr]?|fixons|limite[zr]?|limitons|pon|pongamos|fija|fijemos|limita|limitemos|sube|baja|define|defina|coloque|aumenta|aumente|reduce|reduza|постав\p{L}+|установ\p{L}+|огранич\p{L}+|увелич\p{L}+|уменьш\p{L}+|зада\p{L}+)$`,
  'iu',
)

/** "uploads are limited to 25 MB". */
export const BOUNDED =
  /(?<!\p{L})(?:limited|capped|restricted|bounded|throttled|clamped|set|fixed|pinned|locked|held|kept|configured|rounded|truncated|cut(?: off)?|retained|stored|cached|valid|begrenzt|beschränkt|gesetzt|limitée?s?|fixée?s?|limitad[oa]s?|fijad[oa]s?|ограничен\p{L}*|installed|expected|scheduled|due)(?:\s+(?:to|at|by|for|with|on|auf|à|a|en|em|до|на))?\s*$/iu

/** What says that a value is a bound. */
export const BOUND =
  /(?<!\p{L})(?:at most|no more than|not more than|no longer than|up to|max\.?|(?:an? |the )?max(?:imum|imal)?(?: of)?|(?:a )?limit of|höchstens|maximal|bis zu|pas plus de|nicht mehr als|no más de|não mais (?:de|que)|au (?:plus|maximum)|maximum de|como (?:máximo|mucho)|máximo(?: de)?|hasta|no máximo|até|не более|не больше|максимум|最多|最大|最大で|최대|at least|no (?:fewer|less) than|min\.?|(?:an? |the )?min(?:imum)?(?: of)?|mindestens|au moins|al menos|mínimo(?: de)?|pelo menos|no mínimo|не менее|минимум|至少|최소)\s*$/iu
export const IS_LEAST = /least|fewer|less|min(?!u)|mindest|moins|menos|mínim|менее|миним|至少|최소/iu

/** Units that are counted and can be bounded: "at most 10 attempts". */
export const COUNTED_UNIT =
  /(?<noun>(?:tokens|characters|words|lines|rows|items|records|entries|samples|rounds|steps|folds|requests|retries|attempts|tries|workers|threads|connections|replicas|instances|nodes|elements|messages|pages|points|levels|users|zeichen|versuche))$/iu

/** Names of what is measured and not set. */
export const MEASUREMENT =
  /(?<!\p{L})(?:meeting|call|standup|accuracy|loss|score|auc|f1|rmse|errors?|failures?|total|passed|failed|result|results|line|lines|code|status|pid|took|elapsed|usage|used|free|users|customers|people|tests?|files?|step|page|chapter|issue|pr|ticket|row|version|year|v|at|about|last|from|since|in|on|sum|average|mean|median|p\d\d|latency|throughput|revenue|cost|costs|price|commits?|downloads|stars|figure|table|section|example|image|images|repo|log|logs|output|diff|build|response|memory|disk|dataset|download|video|budget|deadline|team|day|week|today|yesterday|ago|room|floor|building|meeting|episode|season|(?:response|build|load|loading|startup|start|boot|query|execution|wall|render|compile|compilation|elapsed|run|total|travel|waiting|wait) times?|(?:bundle|binary|file|image|download|repo|database|table|log|heap) size|runtime|uptime|speedup|temperature outside|distance|salary|rent|battery|increase|decrease|drop|improvement|difference|reduction|growth)$/iu

/** Words before which the name of what is set begins. */
export const NOT_IN_NAME =
  /^(?:the|a|an|our|my|your|its|their|this|that|all|every|each|any|and|or|but|so|then|also|please|just|ok|okay|yes|no|now|instead|actually|let's|lets|us|let|to|with|for|in|on|of|at|by|from|as|if|we|i|you|it|they|we'll|i'll|i'd|will|would|should|must|shall|can|could|may|want|need|want|is|are|be|was|were|has|have|had|do|does|not|use|using|give|there|here|what|only|still|always|be|gets?|der|die|das|den|dem|ein|eine|einen|wir|und|mit|für|le|la|les|l|un|une|et|avec|pour|on|el|los|las|y|con|para|o|os|as|um|uma|e|com|и|с|на|в|для|go|goes|stays?|remains?|which|when|because)$/iu

/** "… is annoying": the value before it is what is spoken of. */
export const SAYS_OF = /\b(?:is|are|was|were|makes?|causes?|seems?|means|would|looks?|happens?|sounds?)\b/i
