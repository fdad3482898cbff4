// One soft sound when the word comes to us. Never the only sign.

let audio = null;

export function chime(settings) {
  if (settings.sound !== "on") return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.frequency.value = 660;
  loud.gain.setValueAtTime(0.06, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.18);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.2);
  navigator.vibrate?.(30);
}
