/** What people call a kind of therapy, by its name in the reference list; see `issueWords`. */
export const therapyWords: Readonly<Record<string, string>> = {
  'Cognitive behavioural therapy (CBT)':
    'cognitive behavioural therapy, cbt, cognitive behavioral therapy, cognitive behaviour therapy, ' +
    'cognitive behavior therapy, cognitive therapy, behavioural therapy, behavioral therapy, cognitive behavioural, ' +
    'cognitive behavioral, cbt or act, act or cbt, cbt and act, exposure therapy, exposure and response prevention, erp, behavioural activation',
  'Acceptance and commitment therapy (ACT)':
    'acceptance and commitment therapy, acceptance and commitment, acceptance commitment therapy, act therapy, ' +
    'act therapist, does act, do act, cbt or act, act or cbt, cbt and act',
  'Dialectical behaviour therapy (DBT)':
    'dialectical behaviour therapy, dialectical behavior therapy, dialectical behavioural therapy, ' +
    'dialectical behavioral therapy, dialectic behaviour therapy, dialectical, dbt, dbt skills, bpd, eupd, ' +
    'borderline, borderline personality, borderline personality disorder, emotional regulation, emotion regulation, ' +
    'emotionally unstable personality disorder, personality disorder',
  'Eye movement desensitisation and reprocessing (EMDR)':
    'eye movement desensitisation and reprocessing, eye movement desensitization and reprocessing, emdr, eye movement, ' +
    'eye movement therapy, eye movements, rapid eye movement therapy, edmr',
  'Psychodynamic therapy':
    'psychodynamic therapy, psychodynamic, psycho dynamic, psychoanalysis, psychoanalytic, psychoanalyst, ' +
    'psychoanalytical, freudian, jungian, jungian analyst, depth psychology, analytical psychology, ' +
    'psychodynamic counselling, psychodynamic psychotherapy',
  'Person-centred therapy':
    'person centred therapy, person centred, person centered therapy, person centered, client centred, client centered, ' +
    'person centred counselling, rogerian, humanistic, humanistic therapy, humanist therapy, non directive, nondirective',
  'Integrative therapy':
    'integrative therapy, integrative, integrative counselling, integrative counsellor, integrative therapist, ' +
    'eclectic, pluralistic, mix of approaches, holistic therapy, holistic therapist',
  'Emotionally focused couples therapy':
    'emotionally focused couples therapy, emotionally focused therapy, emotionally focussed therapy, ' +
    'emotionally focused, emotion focused couples therapy, eft couples, eft for couples, eft',
  'Family and systemic therapy':
    'family and systemic therapy, family therapy, systemic therapy, systemic, systemic family therapy, ' +
    'family counselling, systemic practice, systemic therapist',
  'Compassion-focused therapy (CFT)':
    'compassion focused therapy, compassion focussed therapy, compassion focused, compassion focussed, ' +
    'compassion based therapy, compassion therapy, cft, self compassion, be kinder to myself, kinder to myself',
  'Mindfulness-based cognitive therapy (MBCT)':
    'mindfulness based cognitive therapy, mindfulness based therapy, mindfulness based, mindfulness, mindful, mbct, ' +
    'mbsr, meditation, meditating, breathing exercises, mindfulness cbt',
  'Schema therapy':
    'schema therapy, schema, schemas, schema focused, schema focused therapy, schema therapist, limited reparenting',
  'Interpersonal therapy (IPT)':
    'interpersonal therapy, interpersonal psychotherapy, interpersonal, ipt, interpersonal counselling',
  'Solution-focused brief therapy':
    'solution focused brief therapy, solution focused therapy, solution focussed therapy, solution focused, ' +
    'solution focussed, solutions focused, brief therapy, short term therapy, short course of therapy, sfbt, ' +
    'short therapy',
  'Art therapy':
    'art therapy, art psychotherapy, arts therapy, creative therapy, creative arts therapy, creative therapies, ' +
    'therapy through art, painting therapy, drawing therapy, expressive arts',
  'Trauma-focused CBT':
    'trauma focused cbt, trauma focussed cbt, tf cbt, tfcbt, trauma cbt, trauma focused cognitive behavioural therapy, ' +
    'cbt for trauma, cbt for ptsd, trauma focused therapy, trauma focussed therapy',
  'Cognitive analytic therapy (CAT)':
    'cognitive analytic therapy, cognitive analytic, cognitive analytical therapy, cat therapy, cat therapist, does cat',
  'Psychiatric assessment and medication review':
    'psychiatric assessment and medication review, psychiatric assessment, psychiatric evaluation, medication review, ' +
    'meds review, review of my medication, review my medication, mental health assessment, psych assessment, ' +
    'review of my meds, review my meds',
  'Existential therapy':
    'existential therapy, existential, existential psychotherapy, existentialist, existential crisis, meaning of life, ' +
    'logotherapy, meaning in life',
  'Gestalt therapy': 'gestalt therapy, gestalt, gestalt psychotherapy, empty chair, gestalt therapist',
}

/** What people call a profession. */
export const providerWords: Readonly<Record<string, string>> = {
  Psychiatrist:
    'psychiatrist, psychiatry, psychiatric, psychiatric doctor, shrink, consultant psychiatrist, medical doctor, ' +
    'mental health doctor',
  'Clinical Psychologist':
    'clinical psychologist, clinical psychology, psychologist, psychology, child psychologist, neuropsychologist',
  'Counselling Psychologist': 'counselling psychologist, counseling psychologist, psychologist, psychology',
  'CBT Therapist':
    'cbt therapist, cbt practitioner, cognitive behavioural therapist, cognitive behavioral therapist, ' +
    'cognitive therapist, cognitive behavioural psychotherapist, cbt psychotherapist',
  Counsellor: 'counsellor, counselor, councillor, councellor, counsler, counciler',
  Psychotherapist:
    'psychotherapist, psychotherapy, psycho therapist, phsycotherapist, physcotherapist, pyschotherapist, psychotherapeutic',
  'Couples Therapist':
    'couples therapist, couple therapist, couples therapy, couple therapy, couples counselling, couples counseling, ' +
    'couple counselling, couples counsellor, couple counsellor, couples, couples work, marriage counselling, ' +
    'marriage counseling, marriage counsellor, marriage counselor, marriage therapist, marriage therapy, ' +
    'marriage guidance, marital therapy, marital counselling, relationship counselling, relationship counseling, ' +
    'relationship counsellor, relationship therapist, relationship therapy, premarital counselling',
  'Family Therapist':
    'family therapist, family counsellor, family psychotherapist, systemic family therapist',
  'Art Therapist': 'art therapist, arts therapist, creative arts therapist, art psychotherapist',
}
