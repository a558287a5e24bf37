/** Sentences about place and time, per way of working. */
export const bothFormats: readonly string[] = [
  'You can see me in [city] or online, and switch between the two when life gets in the way.',
  'My room in [city] is quiet and up {one flight|two flights} of stairs; if stairs are difficult, we can meet online.',
  'I divide my week between my consulting room in [city] and online sessions.',
  'Some people start online and come to [city] later, or the other way round; both work.',
  'I see people in person in [city], a short walk from the {station|bus stops|high street}, and by video everywhere else.',
  'There is step-free access to my room in [city], and for those further away there is video.',
  'In [city] I share a small practice with {two|three} colleagues; online it is only the two of us and a good connection.',
  'Those who live near [city] tend to come in; everyone else finds me on a screen, and I mind neither.',
  'My consulting room in [city] looks out on {a garden|a row of chimneys|a very old tree}; online you will see my bookshelf.',
  'Meeting in [city] is possible on some days and meeting by video on the others.',
  'I have a ground-floor room in [city], and I keep online hours as well.',
  'Whether we meet in [city] or on a screen, the hour is the same: private, and yours.',
  'You may come to [city] for a first meeting and continue online, as many do.',
  'Face-to-face sessions are in [city], and online ones happen wherever you can close a door.',
]
export const onlineOnly: readonly string[] = [
  'I work online only, which suits people who live far from anywhere or whose days are full.',
  'All my sessions are by video; headphones and a parked car have served many of my clients well.',
  'Working online, I have met a good many pets and kitchens, and I like it.',
  'I see everybody by video, and I am happy to use sound alone if the camera gets in the way.',
  'Online sessions are not second best in my experience: people are at home, and often braver there.',
  'Since I work online, it does not matter where in the UK you are.',
  'Video suits my way of working; a cup of tea on each side and nobody in the waiting room.',
  'We meet by video, and if the connection drops I ring you back within a minute.',
  'Being online means that a session needs no bus, no babysitter and no excuse at work.',
  'You can talk to me from a bedroom, a garden shed or a hotel; I ask only that nobody else can hear.',
  'I work by secure video from a room with a closed door, and I will show you that it is closed.',
  'Most of my clients have never met me in person, and after ten minutes most have forgotten about it.',
  'Online, you can come to a session in slippers, and people do.',
  'I see clients from Cornwall to Caithness, all of them on a screen.',
  'I chose to work entirely online some years ago and have not missed the commute; nor have my clients.',
]
export const inPersonOnly: readonly string[] = [
  'I work in person only, in [city], because I like two chairs and a closed door.',
  'Sessions take place in [city]; I do not offer video, as a matter of taste rather than principle.',
  'My room is in [city], with a window, a plant that thrives on neglect and nobody next door.',
  'I see people face to face in [city], since so much is said without words.',
]
export const livingAbroad: readonly string[] = [
  'I live in [where] these days and see all my clients online; I keep my UK registration, and the times you see are already in your own zone.',
  'Some years ago I moved to [where], so I work online only, and the time difference has turned out to be handy for early or late hours.',
  'I am British-trained, live in [where] with my family and meet clients in the UK by video.',
  'Home is now [where], and my practice is online; I remain registered, insured and supervised in the UK.',
]

/** By when the schedule mostly is. */
export const timeSentences = {
  evenings: [
    'I keep several evenings free for people who cannot get away during the day.',
    'My hours are mostly after work, and late sessions are no trouble to me.',
    'Evening sessions are the bulk of my week, since I share the view that lunch breaks are for lunch.',
  ],
  weekend: [
    'I work on Saturdays, which helps parents, shift workers and anybody whose week is not their own.',
    'There are weekend hours, as not every life runs from Monday to Friday.',
    'Saturday mornings are often the calmest time for this kind of conversation, so I offer them.',
  ],
  few: [
    'I see clients on two days a week and keep the rest for teaching and family, so it is worth booking ahead.',
    'Mine is a small practice with hours on two days only.',
    'I offer a handful of hours a week and give them my whole attention.',
  ],
  closed: [
    'My diary is full at the moment; I open new places a few times a year.',
    'I have no free places just now, but you are welcome to write and ask when the next one comes up.',
    'I have no hours to offer at the moment, because I would rather do a few things well.',
    'At present I am not taking on new clients, and I am sorry if that is a disappointment.',
  ],
  any: [
    'I keep the same weekly hour for you wherever I can.',
    'Most people come weekly to begin with and less often later.',
    'We usually meet once a week; every other week is possible when money or time are short.',
    'I send no reminders beyond the platform’s own, and I start and end on time.',
    'Between sessions you may write me a line, though I answer in working hours only.',
    'If you need to move a session, the site lets you do so; you do not have to explain.',
    'Holidays, exams and new babies are good reasons for a pause, and we plan for them.',
    'Some people like a fixed hour and others book as they go; both are fine with me.',
    'I leave a quarter of an hour between clients, so that you have my mind as well as my time.',
    'Fees are as listed, and there is nothing on top.',
    'I take breaks at Easter, in August and over Christmas and tell you well in advance.',
  ],
} as const

export const languageSentences: readonly string[] = [
  'I work in English as well as in [languages], and you can change from one to the other in the middle of a sentence.',
  'Sessions are possible in [languages] as well as in English.',
  '@spoken Some feelings only have a word in one’s first language; I speak [languages] besides English.',
  'I also offer sessions in [languages], which for some of my clients is the reason they chose me.',
  '@spoken With some clients I speak [languages], with most English, and with a few a cheerful mixture.',
  '@spoken If you would rather talk in [languages], we can.',
  '@spoken I grew up between languages and can hold sessions in [languages].',
  'You can have your sessions in [languages], or only the parts that will not go into English.',
  'Besides English I work in [languages].',
  '@spoken Clients who think in [languages] are welcome to do so aloud.',
  '@spoken My other working languages are English for the forms and [languages] for the heart.',
  'I am used to working in [languages] and to what gets lost on the way into English.',
]

export const youngSentences: readonly string[] = [
  'I see young people as well, and talk with them and their parents about who is told what.',
  'Teenagers are welcome; they get an hour of their own, and parents a phone call when we have agreed on what to say.',
  'I work with young people too, and I do not try to sound like one.',
]

export const insuranceSentences: readonly string[] = [
  'I am recognised by several insurers; please bring your authorisation number.',
  'If your insurer is paying, ask them for a code before our first meeting.',
  'I can invoice insurers directly, and you will see the ones I work with on this page.',
]
