"""Ray as an executor."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable
from typing import Any

from planex._errors import NotFoundError

_INSTALL = "pip install 'planex-explorer[cluster]'"


class RayExecutor(concurrent.futures.Executor):
    """Ray as an executor of :mod:`concurrent.futures`, such as :func:`sweep` takes.

    It joins the Ray that the program is connected to, or else starts one on this machine. Each task
    is a separate ``ray.remote``, which Ray does not repeat by itself.

    Parameters
    ----------
    **options : object
        Options of ``ray.remote``: ``num_cpus=2``, ``num_gpus=1``, ``resources={"jetson": 1}``. Each
        task reserves this much, which limits how many run at once on a machine.

    Raises
    ------
    NotFoundError
        Ray is not installed: the extra ``cluster`` has it.
    """

    def __init__(self, **options: object) -> None:
        try:
            import ray
        except ImportError:
            raise NotFoundError("Ray is not installed", hint=_INSTALL) from None
        self._ray = ray
        if not ray.is_initialized():
            ray.init()
        self._call = ray.remote(**{"num_cpus": 1, "max_retries": 0, **options})(_call)
        self._tasks: dict[concurrent.futures.Future[Any], Any] = {}
        self._is_shut = False

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> concurrent.futures.Future[Any]:
        """Calls a function on the cluster.

        Parameters
        ----------
        fn : callable
            The function; workers import it.
        *args, **kwargs : object
            Its arguments. References from :meth:`share` become the shared values.

        Returns
        -------
        concurrent.futures.Future
            Its result. Cancelling it ends the task, even while it runs.

        Examples
        --------
        >>> import planex
        >>> with planex.RayExecutor() as executor:  # doctest: +SKIP
        ...     executor.submit(pow, 2, 5).result()
        32
        """
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        task = self._call.remote(fn, *args, **kwargs)
        self._tasks[future] = task

        def landed(done: concurrent.futures.Future[Any]) -> None:
            self._tasks.pop(future, None)
            if not future.set_running_or_notify_cancel():
                return
            error = done.exception()
            future.set_exception(error) if error else future.set_result(done.result())

        def ended(done: concurrent.futures.Future[Any]) -> None:
            if done.cancelled():
                self._ray.cancel(task, force=True)

        future.add_done_callback(ended)
        task.future().add_done_callback(landed)
        return future

    def share(self, value: object) -> object:
        """Stores a large value where workers fetch it once, and not with each task.

        Parameters
        ----------
        value : object
            The value.

        Returns
        -------
        object
            A reference to pass to :meth:`submit`.

        Examples
        --------
        >>> import planex
        >>> with planex.RayExecutor() as executor:  # doctest: +SKIP
        ...     executor.submit(len, executor.share(b"a model")).result()
        7
        """
        reference: object = self._ray.put(value)
        return reference

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accepts no more tasks. The cluster stays.

        Parameters
        ----------
        wait : bool
            Wait until all tasks are done.
        cancel_futures : bool
            End unfinished tasks.

        Examples
        --------
        >>> import planex
        >>> planex.RayExecutor().shutdown()  # doctest: +SKIP
        """
        self._is_shut = True
        tasks = list(self._tasks)
        if cancel_futures:
            for future in tasks:
                future.cancel()
        if wait:
            concurrent.futures.wait(tasks)


def _call(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return fn(*args, **kwargs)
