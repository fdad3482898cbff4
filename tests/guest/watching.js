// Before a guest's page starts: notes when it was asked to act, when a view was on the screen, and every long task.
(() => {
  const now = () => performance.timeOrigin + performance.now();
  const seen = (window.seen = { acts: [], views: [], long: [] });
  if (!window.MessagePort) return;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.long.push(Math.round(entry.duration));
  }).observe({ type: "longtask", buffered: true });
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, ...rest) {
    if (message?.intent === "act") seen.acts.push([message.height, now()]);
    return post.call(this, message, ...rest);
  };
  Object.defineProperty(MessagePort.prototype, "onmessage", {
    set(listener) {
      this.addEventListener("message", (event) => {
        listener(event);
        const view = Array.isArray(event.data) && event.data.find((each) => each.type === "view");
        if (view) seen.views.push([view.height, now()]);
      });
      this.start();
    },
  });
})();
