/** Words that stand in no name of a part of the project. */
const STOP =
  'is|are|was|were|be|should|must|shall|will|would|can|could|has|have|had|to|at|into|in|under|with|that|which|who|we|i|you|it|they|let|lets|please|never|always|goes|go|belongs?|lives?|stays?|uses?|needs?|keeps?|stores?|returns?|on|as|by|via|from|for|of|instead|now|only|and|or|but|when|if|because|not|the|our|an?|so|until|before|after|everywhere|makes?|using|use|set|take|make'
/** One to four words. */
const NAME = String.raw`(?<name>\p{L}[\p{L}\p{N}'-]*(?:\s+(?!(?:${STOP})\b)\p{L}[\p{L}\p{N}'-]*){0,3}?)`
const ARTICLE = String.raw`(?:the|our)\s+`
const BREAK = String.raw`(?=\s*(?:[.,;:!?)=→]|$)|\s+(?:(?:${STOP}|let's)\b|[\p{L}\p{N}./@-]*[_/\d][\p{L}\p{N}_./@-]*(?=\s|[.,;]|$)))`

/** "everywhere in the voucher import". */
export const EVERYWHERE_IN = new RegExp(
  String.raw`\s(?<whole>(?:(?:everywhere|anywhere|all over)\s+(?:in\s+)?|throughout\s+|across\s+)${ARTICLE}${NAME})(?=\s*(?:[.,;!]|$))`,
  'iu',
)
/** "the attempts of the voucher import". */
export const OF_PART = new RegExp(String.raw`\s(?<whole>of\s+${ARTICLE}${NAME})${BREAK}`, 'giu')
/** "In the voucher import, …", "for the voucher import we …". */
export const FRONTED_PART = new RegExp(
  String.raw`^\W*(?:(?:and|also|so|ok|okay|then|please|now)[,\s]+)*(?<whole>(?:for|in|on|within|inside|regarding|concerning)\s+${ARTICLE}${NAME})(?=\s*[,:]|\s+(?:i|we|use|set|take|make|please|let's|let|i'd|we'll|i'll)\b)`,
  'iu',
)
/** "voucher import: lease 417 seconds". */
export const LABELLED_PART = new RegExp(String.raw`^\s*(?<whole>(?:${ARTICLE})?${NAME}\s*:)(?=\s+\S)`, 'iu')
/** "The voucher import uses …". */
export const SUBJECT_PART = new RegExp(
  String.raw`(?:^\W*(?:(?:and|also|so|ok|okay|then)[,\s]+)*|\band\s+)${ARTICLE}${NAME}\s+(?:(?:will|should|must|shall|now|only|always|also|still)\s+)*(?:uses?|needs?|keeps?|stores?|caches?|queues?|persists?|relies|runs?|gets?|takes?|has|stays|reads?|writes?|talks)\b`,
  'giu',
)
/** "… in the voucher import." */
export const INSIDE_PART = new RegExp(
  String.raw`\s(?:for|in|on|within|inside)\s+${ARTICLE}${NAME}(?=\s*(?:[.,;!]|$)|\s+(?:please|instead|now|only)\b)`,
  'iu',
)

/** "the size of the buffer": what a word such as these is of belongs to its name. */
export const NEEDS_OF =
  /(?:^|\b(?:the|an?|our|set|change|make|to|raise|lower|increase|reduce|on|at|in|by|with|for|default|max|maximum|min|minimum)\s+)(?:number|amount|size|length|width|height|depth|max\w*|min\w*|count|name|value|version|rest|top|bottom|end|start|beginning|half|all|most|some|each|any|one|none|many|lots|kind|type|sort|part|parts|use|because|instead|out|ahead|front|side|inside|state|result|middle|case|sum|share|list|set|copy|version|color|order|favou?r|outside|choice)\s*$/i

/** Pieces of code and of text, times, people, and the project itself: none of them is a part of the project. */
export const NO_PART =
  /\b(?:files?|folders?|director(?:y|ies)|functions?|class(?:es)?|methods?|variables?|lines?|commits?|branch(?:es)?|tests?|errors?|logs?|lists?|arrays?|strings?|tables?|columns?|rows?|readme|docs?|code|day|days|week|weeks|weekend|month|year|morning|evening|night|sprint|quarter|time|team|users?|customers?|clients?|boss|people|project|app|application|repo|repository|codebase|system|product|company|code base|whole|entire|rest|same|first|second|last|next|following|above|other|new|old|current|existing|default|main|world|web|internet|moment|meantime|meeting|question|answer|reason|way|thing|things|stuff|end|beginning|future|past|tree|root|record|sake|fly|background|long|short|hood|box|decision|rule|note|plan|idea|stack|summary|problem|issue|bug|option|example|question|warning|todo|reminder|correction)\b/i
