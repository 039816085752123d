import { anyFormOf } from './inflect.ts'

/** Words that tie a thing to what it is made with or kept in. */
export const PLACE_LINK =
  /(?<!\p{L})(?:in|on|onto|into|with|via|by|through|using|under|to|at|inside|behind|from|over|mit|auf|bei|über|als|nach|unter|avec|chez|sur|dans|sous|par|en|con|sobre|com|na|no|nos|em|pelo|pela|на|в|с|через|под|у)\s+(?:(?:the|a|an|our|plain|just|only|le|la|el|o|a|dem|der|die)\s+)*$/iu

/** What things do with what they are made with, kept in or sent through. */
export const PLACING_VERB = new RegExp(
  String.raw`^(?:${anyFormOf(
    `sit live run go ship land come stay move talk speak read write rewrite build rebuild compile deploy render host store keep save
    persist cache queue publish sign serve test lint format style manage handle bundle package log monitor track send deliver
    charge bill authenticate authorize validate implement base power document generate train fit model script port develop design
    transfer upload push expose secure encrypt hash search index schedule orchestrate provision release distribute export
    communicate connect sync draw paint plot visualize type annotate migrate automate collect gather parse process compute make do happen work belong lie rest end report`,
  )}|is|are|be|being|been|gets?|will|should|must|shall|now|all|always|only|also|both|entirely|completely|fully|directly|wird|werden|ist|sind|geschrieben|gebaut|gehostet|gespeichert|getestet|läuft|laufen|kommt|kommen|geht|gehen|liegt|liegen|est|sont|sera|seront|fait|faits?|faites?|écrite?s?|hébergée?s?|stockée?s?|testée?s?|déployée?s?|géré[es]*|tourne|va|vont|será|serán|está|están|estará|estarán|tournent|passent?|va|van|hech[oa]s?|escrit[oa]s?|alojad[oa]s?|guardad[oa]s?|se|corre|vive|serão|feit[oa]s?|hospedad[oa]s?|armazenad[oa]s?|fica|ficam|roda|rodam|будет|будут|пиш\p{L}+|хран\p{L}+|живёт|живет|крут\p{L}+|леж\p{L}+|работает|делаем|тестир\p{L}+)$`,
  'iu',
)

/** Subjects that are somebody, or nothing in particular. */
export const NO_THING =
  /^(?:yes|no|ok|okay|nah|sure|there's|that's|it's|here's|what's|who's|we'll|i'll|we'd|i'd|let's|i|we|you|he|she|they|who|which|what|that|this|it|there|here|where|when|how|why|if|not|no|nobody|nothing|most|many|some|tutorials?|examples?|articles?|people|customers?|colleagues?|boss|neighbou?rs?|guys?|friends?|vendors?|company|competitors?|interns?|users?|teams?|someone|somebody|someone|is|are|was|were|be|to|do|does|did|don't|can|could|would|may|might|look|looking|check|fix|run|see|open|read|add|update|debug|find|show|explain|write|create|make|try|trying|log|connect|test|compare|install|click|search|problem|issue|error|errors|bug|bugs|warning|trouble|question|questions|version|experience|familiar|help|lot|done|fine|good|happy|working|works|work|familiar|similar|compared|interested|started|bis|nicht|je|tu|il|elle|nous|vous|ich|er|sie|es|du|ihr|yo|tú|él|ella|eu|ele|ela|я|ты|он|она|они|мы|вы)$/iu

/** Verbs whose object is what a thing is made with: "commits follow Conventional Commits". */
export const DIRECT_LINK =
  /(?<!\p{L})(?:(?=(?:follows?|uses?|needs|writes?|emits?|speaks?|targets?|runs?|adopts?|obeys?|sticks? to|becomes?|means|nutzt|nutzen|verwendet|verwenden|utilisent?|usan?|usam?|использу[ею]т)\s)\p{L}+(?:\s+to)?)\s+(?:(?:the|a|an|our|plain|just|only|le|la|el|o)\s+)*$/iu
